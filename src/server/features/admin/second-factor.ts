// Second factors of accounts: the secret of an authenticator app, passkeys, and recovery codes.
import { randomInt } from 'node:crypto'
import { and, count, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { maxPasskeys, type PasskeyRegistration, passkeyMessages } from '#contract/admin/passkeys.ts'
import { type SecondFactor, secondFactorActions, secondFactorMessages as texts } from '#contract/admin/second-factor.ts'
import type { Config } from '#server/core/config.ts'
import { type EncryptionKeys, encryptionOf } from '#server/core/encryption.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { totpOwner } from '#server/db/encrypted-columns.ts'
import { adminChallenges, adminPasskeys, adminRecoveryCodes, adminTotp, adminUsers } from '#server/db/schema.ts'
import type { AssertionProof, Passkeys } from '#server/features/admin/passkeys.ts'
import { newTotpSecret, totpAddress, totpStep } from '#server/features/admin/totp.ts'
import type { Administrator } from '#server/http/guard.ts'

const recoveryCodeCount = 10
/** More than 112 bits, so that a plain digest cannot be reversed. No characters that look alike. */
const recoveryAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const recoveryGroups = [0, 5, 10, 15, 20]

const hashOf = (code: string) => digestOf(`recovery ${code}`).toString('base64url')

function newRecoveryCode(): string {
  const letters = Array.from({ length: 25 }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)])
  return recoveryGroups.map((start) => letters.slice(start, start + 5).join('')).join('-')
}

interface SecondFactorDeps {
  database: Database
  config: EncryptionKeys & Pick<Config, 'secondFactor'>
  passkeys: Passkeys
  log: Log
  now(): Date
}

/** What a person answers in the second step. */
export type FactorProof = { code: string } | AssertionProof

export type FactorUse = 'app' | 'passkey' | 'recovery'

interface NewPasskey {
  nome: string
  challenge: string
  passkey: PasskeyRegistration
}

export type SecondFactors = ReturnType<typeof createSecondFactors>

export function createSecondFactors({ database, config, passkeys, log, now }: SecondFactorDeps) {
  const { orm, transaction } = database
  const encryption = encryptionOf(config)

  function decrypt(id: number, secret: Buffer): string {
    try {
      if (encryption) return encryption.decrypt(secret, totpOwner(id))
    } catch (error) {
      log.warn({ err: error }, 'the secret of an authenticator app cannot be decrypted with this DATA_KEY')
    }
    throw new AppError('unavailable', texts.unreadable)
  }

  async function replaceRecoveryCodes(tx: Orm, id: number): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
    await tx.delete(adminRecoveryCodes).where(eq(adminRecoveryCodes.adminUserId, id))
    const rows = codes.map((code) => ({ adminUserId: id, codeHash: hashOf(code.replaceAll('-', '')) }))
    await tx.insert(adminRecoveryCodes).values(rows)
    return codes
  }

  /** Concurrent changes of one account wait for each other. */
  const lockAccount = (tx: Orm, id: number) =>
    tx.select({ id: adminUsers.id }).from(adminUsers).where(eq(adminUsers.id, id)).for('update')

  /** After one factor was removed: without another one, recovery codes end too. Returns whether none is left. */
  async function endWithoutFactor(tx: Orm, id: number): Promise<boolean> {
    if (await hasSecondFactor(tx, id)) return false
    if (config.secondFactor === 'required') throw new AppError('conflict', texts.required)
    await removeSecondFactors(tx, id)
    return true
  }

  return {
    isOn: hasSecondFactor,
    takeChallenge: passkeys.takeChallenge,

    /** The site requires a second factor, and this account has none. `user` is a column of the surrounding query. */
    isMissing: (user: SQLWrapper): SQL<boolean> =>
      config.secondFactor === 'required' ? sql<boolean>`not ${hasFactor(user)}` : sql<boolean>`false`,

    async read(id: number): Promise<Omit<SecondFactor, 'success'>> {
      const [codes] = await orm
        .select({ unused: count() })
        .from(adminRecoveryCodes)
        .where(eq(adminRecoveryCodes.adminUserId, id))
      return {
        ...{ app: await hasApp(orm, id), passkeys: await passkeys.list(orm, id), recoveryCodes: codes?.unused ?? 0 },
        isAvailable: encryption !== undefined,
        arePasskeysAvailable: passkeys.isAvailable,
        isRequired: config.secondFactor === 'required',
      }
    },

    /** The second step of a login that was answered with `challenge`. */
    async stepsOf(id: number, challenge: string) {
      return { app: await hasApp(orm, id), passkey: await passkeys.requestFor(orm, id, challenge) }
    },

    /** The factor in use stays valid until a code of the new secret is confirmed. */
    async begin({ id, username }: Administrator, issuer: string, audit: Audit) {
      if (!encryption) throw new AppError('conflict', texts.unavailable)
      const secret = newTotpSecret()
      const pendingSecret = encryption.encrypt(secret, totpOwner(id))
      await transaction(async (tx) => {
        await tx
          .insert(adminTotp)
          .values({ adminUserId: id, pendingSecret })
          .onConflictDoUpdate({ target: adminTotp.adminUserId, set: { pendingSecret } })
        await audit(tx)
      })
      return {
        secret: secret.replace(/.{4}(?=.)/g, '$& '),
        address: totpAddress({ secret, issuer, label: username }),
      }
    },

    /** Returns new recovery codes, none if there are passkeys, which keep theirs. Undefined if the code is wrong. */
    confirm({ id }: Administrator, code: string, audit: Audit): Promise<string[] | undefined> {
      return transaction(async (tx) => {
        await lockAccount(tx, id)
        const [stored] = await tx.select().from(adminTotp).where(eq(adminTotp.adminUserId, id))
        if (!stored?.pendingSecret) throw new AppError('conflict', texts.notBegun)
        const secret = decrypt(id, stored.pendingSecret)
        const lastStep = totpStep({ secret, code, now: now(), lastStep: null })
        if (lastStep === undefined) return undefined
        await tx
          .update(adminTotp)
          .set({ secret: stored.pendingSecret, pendingSecret: null, lastStep })
          .where(eq(adminTotp.adminUserId, id))
        const hasPasskey = await isTrueFor(tx, id, hasPasskeyOf(adminUsers.id))
        const codes = hasPasskey ? [] : await replaceRecoveryCodes(tx, id)
        await audit(tx)
        return codes
      })
    },

    renewRecoveryCodes({ id }: Administrator, audit: Audit): Promise<string[]> {
      return transaction(async (tx) => {
        await lockAccount(tx, id)
        if (!(await hasSecondFactor(tx, id))) throw new AppError('conflict', texts.alreadyOff)
        const codes = await replaceRecoveryCodes(tx, id)
        await audit(tx)
        return codes
      })
    },

    /** Returns whether no other factor is left. */
    turnOffApp({ id }: Administrator, audit: Audit): Promise<boolean> {
      return transaction(async (tx) => {
        await lockAccount(tx, id)
        if (!(await hasApp(tx, id))) throw new AppError('conflict', texts.alreadyOff)
        await tx.delete(adminTotp).where(eq(adminTotp.adminUserId, id))
        const isOff = await endWithoutFactor(tx, id)
        await audit(tx, isOff ? '' : secondFactorActions.appOnly)
        return isOff
      })
    },

    beginPasskey(administrator: Administrator, siteName: string, audit: Audit) {
      if (!passkeys.isAvailable) throw new AppError('conflict', passkeyMessages.unavailable)
      return transaction(async (tx) => {
        const challenge = await passkeys.createChallenge(tx, { id: administrator.id, purpose: 'add' })
        await audit(tx)
        return passkeys.creationFor(tx, administrator, { siteName, challenge })
      })
    },

    /** Returns recovery codes with the first factor, else none. Undefined if the answer of the browser is not valid. */
    async addPasskey(
      { id }: Administrator,
      { nome: name, challenge, passkey }: NewPasskey,
      audit: Audit,
    ): Promise<string[] | undefined> {
      const verified = await passkeys.verifyRegistration(challenge, passkey)
      return transaction(async (tx) => {
        await lockAccount(tx, id)
        const isExpected = await passkeys.takeChallenge(tx, { id, purpose: 'add', challenge })
        if (!verified || !isExpected) return undefined
        const isFirst = !(await hasSecondFactor(tx, id))
        if ((await tx.$count(adminPasskeys, eq(adminPasskeys.adminUserId, id))) >= maxPasskeys)
          throw new AppError('conflict', passkeyMessages.tooMany)
        const { rowCount } = await tx
          .insert(adminPasskeys)
          .values({ ...verified, adminUserId: id, name })
          .onConflictDoNothing()
        if (rowCount !== 1) throw new AppError('conflict', passkeyMessages.taken)
        const codes = isFirst ? await replaceRecoveryCodes(tx, id) : []
        await audit(tx, name)
        return codes
      })
    },

    removePasskey({ id }: Administrator, passkeyId: number, audit: Audit): Promise<{ name: string; isOff: boolean }> {
      return transaction(async (tx) => {
        await lockAccount(tx, id)
        const [removed] = await tx
          .delete(adminPasskeys)
          .where(and(eq(adminPasskeys.id, passkeyId), eq(adminPasskeys.adminUserId, id)))
          .returning({ name: adminPasskeys.name })
        if (!removed) throw new AppError('not-found', passkeyMessages.unknown)
        const isOff = await endWithoutFactor(tx, id)
        await audit(tx, removed.name)
        return { ...removed, isOff }
      })
    },

    /** For a confirmation of the identity with a passkey. */
    beginConfirmation({ id }: Administrator, audit: Audit) {
      return transaction(async (tx) => {
        const challenge = await passkeys.createChallenge(tx, { id, purpose: 'confirm' })
        const options = await passkeys.requestFor(tx, id, challenge)
        if (!options) throw new AppError('conflict', passkeyMessages.unknown)
        await audit(tx)
        return options
      })
    },

    /** For a colleague. Open sessions continue, started logins end. */
    remove(id: number, audit: Audit): Promise<{ username: string }> {
      return transaction(async (tx) => {
        const [user] = await tx
          .select({ username: adminUsers.username })
          .from(adminUsers)
          .where(eq(adminUsers.id, id))
          .for('update')
        if (!user) throw new AppError('not-found', adminMessages.team.unknown)
        if (!(await removeSecondFactors(tx, id))) throw new AppError('conflict', texts.alreadyOff)
        await audit(tx, user.username)
        return user
      })
    },

    /**
     * Consumes a code or a signature of the account, whose row the transaction must have locked. Undefined if it is
     * wrong or was used before. The caller checks that the challenge of a passkey is its own.
     */
    async consume(tx: Orm, id: number, proof: FactorProof): Promise<FactorUse | undefined> {
      if ('assertion' in proof) return (await passkeys.accept(tx, id, proof)) ? 'passkey' : undefined
      const { code } = proof
      if (!/^\d{6}$/.test(code)) {
        const { rowCount } = await tx
          .delete(adminRecoveryCodes)
          .where(and(eq(adminRecoveryCodes.adminUserId, id), eq(adminRecoveryCodes.codeHash, hashOf(code))))
        return rowCount === 1 ? 'recovery' : undefined
      }
      const [stored] = await tx.select().from(adminTotp).where(eq(adminTotp.adminUserId, id))
      if (!stored?.secret) return undefined
      const step = totpStep({ secret: decrypt(id, stored.secret), code, now: now(), lastStep: stored.lastStep })
      if (step === undefined) return undefined
      await tx.update(adminTotp).set({ lastStep: step }).where(eq(adminTotp.adminUserId, id))
      return 'app'
    },
  }
}

const hasAppOf = (user: SQLWrapper) =>
  sql`exists (select from ${adminTotp} where ${adminTotp.adminUserId} = ${user} and ${adminTotp.secret} is not null)`
const hasPasskeyOf = (user: SQLWrapper) =>
  sql`exists (select from ${adminPasskeys} where ${adminPasskeys.adminUserId} = ${user})`

/**
 * Condition: the account has a second factor. `user` is a column of the surrounding query. Drizzle omits the table of
 * columns that are directly in a selected expression, so they are in nested ones.
 */
export const hasFactor = (user: SQLWrapper): SQL<boolean> => sql<boolean>`(${hasAppOf(user)} or ${hasPasskeyOf(user)})`

async function isTrueFor(tx: Orm, id: number, condition: SQL): Promise<boolean> {
  return (await tx.$count(adminUsers, and(eq(adminUsers.id, id), condition))) > 0
}

const hasApp = (tx: Orm, id: number) => isTrueFor(tx, id, hasAppOf(adminUsers.id))

export function hasSecondFactor(tx: Orm, id: number): Promise<boolean> {
  return isTrueFor(tx, id, hasFactor(adminUsers.id))
}

/** Also ends logins that wait for the second step. Returns whether the account had a second factor. */
export async function removeSecondFactors(tx: Orm, id: number): Promise<boolean> {
  const had = await hasSecondFactor(tx, id)
  for (const table of [adminTotp, adminPasskeys, adminRecoveryCodes, adminChallenges])
    await tx.delete(table).where(eq(table.adminUserId, id))
  return had
}

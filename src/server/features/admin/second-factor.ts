// Second factors of accounts: the secret of an authenticator app, and recovery codes.
import { randomInt } from 'node:crypto'
import { and, count, eq, isNotNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { type SecondFactor, secondFactorMessages as texts } from '#contract/admin/second-factor.ts'
import type { Config } from '#server/core/config.ts'
import { type EncryptionKeys, encryptionOf } from '#server/core/encryption.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { digestOf } from '#server/core/tokens.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { totpOwner } from '#server/db/encrypted-columns.ts'
import { adminChallenges, adminRecoveryCodes, adminTotp, adminUsers } from '#server/db/schema.ts'
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
  log: Log
  now(): Date
}

export type SecondFactors = ReturnType<typeof createSecondFactors>

export function createSecondFactors({ database, config, log, now }: SecondFactorDeps) {
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

  return {
    isOn: hasSecondFactor,

    /** The site requires a second factor, and this account has none. `user` is a column of the surrounding query. */
    isMissing: (user: SQLWrapper): SQL<boolean> =>
      config.secondFactor === 'required'
        ? sql<boolean>`not exists (select from ${adminTotp} where ${adminTotp.adminUserId} = ${user} and ${adminTotp.secret} is not null)`
        : sql<boolean>`false`,

    async read(id: number): Promise<Omit<SecondFactor, 'success'>> {
      const [codes] = await orm
        .select({ unused: count() })
        .from(adminRecoveryCodes)
        .where(eq(adminRecoveryCodes.adminUserId, id))
      return {
        ...{ app: await hasSecondFactor(orm, id), recoveryCodes: codes?.unused ?? 0 },
        isAvailable: encryption !== undefined,
        isRequired: config.secondFactor === 'required',
      }
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

    /** Returns new recovery codes. Undefined if the code is wrong. */
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
        const codes = await replaceRecoveryCodes(tx, id)
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

    async turnOff({ id }: Administrator, audit: Audit): Promise<void> {
      if (config.secondFactor === 'required') throw new AppError('conflict', texts.required)
      await transaction(async (tx) => {
        await lockAccount(tx, id)
        if (!(await hasSecondFactor(tx, id))) throw new AppError('conflict', texts.alreadyOff)
        await removeSecondFactors(tx, id)
        await audit(tx)
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
     * Consumes a code of the account, whose row the transaction must have locked. Undefined if it is wrong or was used
     * before.
     */
    async consume(tx: Orm, id: number, code: string): Promise<'app' | 'recovery' | undefined> {
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

export async function hasSecondFactor(tx: Orm, id: number): Promise<boolean> {
  return (await tx.$count(adminTotp, and(eq(adminTotp.adminUserId, id), isNotNull(adminTotp.secret)))) > 0
}

/** Also ends logins that wait for a code. Returns whether the account had a second factor. */
export async function removeSecondFactors(tx: Orm, id: number): Promise<boolean> {
  const had = await hasSecondFactor(tx, id)
  for (const table of [adminTotp, adminRecoveryCodes, adminChallenges])
    await tx.delete(table).where(eq(table.adminUserId, id))
  return had
}

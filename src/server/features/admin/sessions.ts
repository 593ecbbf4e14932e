// Sessions of administrators: checks passwords, issues tokens, stores their hashes and ends sessions.
import { hash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { passkeyMessages } from '#contract/admin/passkeys.ts'
import { secondFactorMessages } from '#contract/admin/second-factor.ts'
import { createConcurrencyLimit } from '#server/core/concurrency-limit.ts'
import { AppError } from '#server/core/errors.ts'
import { hashPassword, needsRehash, passwordMatches, unmatchableHash } from '#server/core/passwords.ts'
import { sessionLabel } from '#server/core/tokens.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { adminChallenges, adminSessions, adminUsers } from '#server/db/schema.ts'
import { forgetDevices } from '#server/features/admin/device-tokens.ts'
import { type GuessLimit, maxRefusedPerHour, noRefusedPasswords } from '#server/features/admin/guess-limit.ts'
import type { FactorProof, FactorUse, SecondFactors } from '#server/features/admin/second-factor.ts'
import type { Administrator, FindAdministrator } from '#server/http/guard.ts'

interface OpenSession {
  token: string
  administrator: Administrator
  mustChangePassword: boolean
  mustAddFactor?: boolean
}

/** The password was right, and the second factor is due. */
interface StartedLogin {
  challenge: string
  id: number
}

interface Credentials {
  username: string
  password: string
  /** The account has logged in on this device before. */
  isKnownDevice: boolean
}

export interface Sessions {
  /**
   * Undefined if the password is wrong, the username unknown, or the account at its limit of refused passwords; all
   * take the same time.
   */
  open(credentials: Credentials, recordLogin: RecordLogin): Promise<OpenSession | StartedLogin | undefined>
  /** The account of a started login. Undefined if it has expired, ended, or had too many wrong proofs. Counts a try. */
  continueLogin(challenge: string): Promise<Administrator | undefined>
  /** Undefined if the proof is wrong, or the account is at its limit. */
  openWithFactor(login: FactorLogin, recordLogin: RecordLogin): Promise<(OpenSession & { used: FactorUse }) | undefined>
  findAdministrator: FindAdministrator
  close(token: string, audit: Audit): Promise<void>
  closeOthers(administrator: Administrator, token: string, audit: Audit): Promise<void>
  /** For calls that need a recent login. Undefined if the password is wrong. */
  confirm(confirmation: Confirmation, audit: Audit): Promise<true | undefined>
  /** Undefined if the password is wrong; that counts as a refused password. */
  isOwnPassword(administrator: Administrator, password: string): Promise<true | undefined>
  /** Also ends all other sessions and forgets all other devices. Undefined if the current password is wrong. */
  changePassword(change: PasswordChange, audit: Audit): Promise<true | undefined>
}

interface FactorLogin {
  administrator: Administrator
  challenge: string
  proof: FactorProof
  isKnownDevice: boolean
}

/** Writes the login to the audit log, in the transaction that opens the session. */
type RecordLogin = (tx: Orm, administrator: Administrator, used?: FactorUse) => Promise<void>

interface Confirmation {
  administrator: Administrator
  token: string
  password: string
  proof: FactorProof | undefined
}

interface PasswordChange {
  administrator: Administrator
  /** The session that stays open. */
  token: string
  /** The token of the device that stays known, if it is. */
  device: string | undefined
  current: string
  password: string
}

/** Any other text is rejected without a database query. */
const tokenFormat = /^[\w-]{43}$/
const maxRemembered = 1_000
const digest = (token: string) => hash('sha256', token, 'base64url')
const othersOf = (id: number, token: string) =>
  and(eq(adminSessions.adminUserId, id), ne(adminSessions.tokenHash, digest(token)))

export const idleCutoff = sql`now() - interval '30 minutes'`
export const ageCutoff = sql`now() - interval '8 hours'`
const challengeCutoff = sql`now() - interval '5 minutes'`
const maxProofsPerLogin = 5
const recentCutoff = sql`now() - interval '10 minutes'`
// `lastSeenAt` is written at most once a minute, so that not every read causes a write.
const refreshCutoff = sql`now() - interval '1 minute'`

/** Ignores case. Lowercased in JavaScript, like in the login throttle, so that each account has one throttle entry. */
export function usernameMatches(username: string): SQL | undefined {
  return or(eq(adminUsers.username, username), eq(sql`lower(${adminUsers.username})`, username.toLowerCase()))
}

/** Sorts the exact match first, in case two usernames differ only in case. */
export function exactFirst(username: string): SQL {
  return desc(eq(adminUsers.username, username))
}

interface SessionOptions {
  guesses: GuessLimit
  factors: Pick<SecondFactors, 'isOn' | 'isMissing' | 'takeChallenge' | 'consume'>
  /** Called after a refused password of an existing account. */
  onRefused(administrator: Administrator): void
  /** Called when the account is at its limit of refused passwords. */
  onLimitReached(id: number): void
  /** The same for codes and passkeys of the second factor: who sends them has the password. */
  onCodeRefused(administrator: Administrator): void
  onCodeLimitReached(id: number): void
  onRecoveryCodeUsed(id: number): void
}

export function createSessions(
  { orm, transaction }: Database,
  {
    guesses,
    factors,
    onRefused,
    onLimitReached,
    onCodeRefused,
    onCodeLimitReached,
    onRecoveryCodeUsed,
  }: SessionOptions,
): Sessions {
  // Compared if the username is unknown, so that the response time does not reveal which accounts exist.
  const dummyHash = unmatchableHash()
  // Clients can send invented tokens, and signing uses the same database connections. Lookups of tokens that were valid
  // before are not limited.
  const unknownTokens = { maxAtOnce: 2, maxWaiting: 200, maxWaitMs: 3_000 }
  const unknownTokenLimit = createConcurrencyLimit(unknownTokens)
  // A limit of its own, so that invented tokens of sessions do not delay logins.
  const challengeLimit = createConcurrencyLimit(unknownTokens)
  const validTokens = new Set<string>()

  function rememberValid(tokenHash: string): void {
    validTokens.delete(tokenHash)
    validTokens.add(tokenHash)
    const [oldest] = validTokens
    if (validTokens.size > maxRemembered && oldest) validTokens.delete(oldest)
  }

  async function find(tokenHash: string) {
    const [session] = await orm
      .select({
        id: adminUsers.id,
        username: adminUsers.username,
        mustChangePassword: adminUsers.mustChangePassword,
        mustAddFactor: factors.isMissing(adminUsers.id),
        role: adminUsers.role,
        isRecent: sql<boolean>`coalesce(${adminSessions.verifiedAt}, ${adminSessions.createdAt}) > ${recentCutoff}`,
        stale: sql<boolean>`${adminSessions.lastSeenAt} < ${refreshCutoff}`,
      })
      .from(adminSessions)
      .innerJoin(adminUsers, eq(adminUsers.id, adminSessions.adminUserId))
      .where(
        and(
          eq(adminSessions.tokenHash, tokenHash),
          adminUsers.isActive,
          gt(adminSessions.lastSeenAt, idleCutoff),
          gt(adminSessions.createdAt, ageCutoff),
        ),
      )
    return session
  }

  function refuse(administrator: Administrator, count: number | undefined): void {
    onRefused(administrator)
    if (count !== undefined && count >= maxRefusedPerHour) onLimitReached(administrator.id)
  }

  async function insertSession(tx: Orm, adminUserId: number): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    await tx.insert(adminSessions).values({ tokenHash: digest(token), adminUserId })
    return token
  }

  async function startLogin(tx: Orm, adminUserId: number): Promise<StartedLogin> {
    const challenge = randomBytes(32).toString('base64url')
    await tx.insert(adminChallenges).values({ tokenHash: digest(challenge), adminUserId })
    return { challenge, id: adminUserId }
  }

  async function rememberSession(token: string): Promise<void> {
    await orm.delete(adminSessions).where(lt(adminSessions.createdAt, ageCutoff))
    rememberValid(digest(token))
  }

  /** The password of an open session. Undefined if it is wrong; that counts as a refused password. */
  async function checkOwnPassword(administrator: Administrator, password: string) {
    const [user] = await orm.select().from(adminUsers).where(eq(adminUsers.id, administrator.id))
    if (!user) return undefined
    if (await passwordMatches(password, user.password)) return user
    refuse(administrator, await guesses.count(user.id))
    return undefined
  }

  /** Replaces a hash with weaker parameters. Returns the hash that the right password has now. */
  async function strengthen(id: number, password: string, weaker: string): Promise<string> {
    const stronger = await hashPassword(password)
    const { rowCount } = await orm
      .update(adminUsers)
      .set({ password: stronger })
      .where(and(eq(adminUsers.id, id), eq(adminUsers.password, weaker)))
    if (rowCount === 1) return stronger
    // A concurrent login was faster, or the password was changed.
    const [user] = await orm.select({ hashed: adminUsers.password }).from(adminUsers).where(eq(adminUsers.id, id))
    return user && (await passwordMatches(password, user.hashed)) ? user.hashed : weaker
  }

  return {
    async open({ username, password, isKnownDevice }, recordLogin) {
      const [user] = await orm
        .select()
        .from(adminUsers)
        .where(and(usernameMatches(username), adminUsers.isActive))
        .orderBy(exactFirst(username))
        .limit(1)
      // Concurrently, so that the write for an existing account takes no additional time.
      const [reserved, matches] = await Promise.all([
        user && !isKnownDevice ? guesses.reserve(user.id) : undefined,
        passwordMatches(password, user?.password ?? dummyHash),
      ])
      if (!user) return undefined
      const administrator = { id: user.id, username: user.username }
      const isAllowed = isKnownDevice || reserved !== undefined
      if (!matches || !isAllowed) {
        refuse(administrator, isKnownDevice ? await guesses.count(user.id) : reserved)
        return undefined
      }
      if (!isKnownDevice) await guesses.release(user.id)
      const hashed = needsRehash(user.password) ? await strengthen(user.id, password, user.password) : user.password
      // The account may have been deactivated, or its password changed, during the comparison. The row lock waits for a
      // concurrent change and then sees it. Without the lock, the session would outlive the old password.
      const opened = await transaction(async (tx) => {
        const [current] = await tx
          .select({ mustAddFactor: factors.isMissing(adminUsers.id) })
          .from(adminUsers)
          .where(and(eq(adminUsers.id, user.id), adminUsers.isActive, eq(adminUsers.password, hashed)))
          .for('share')
        if (!current) return undefined
        if (await factors.isOn(tx, user.id)) return startLogin(tx, user.id)
        const token = await insertSession(tx, user.id)
        await recordLogin(tx, { ...administrator, session: sessionLabel(token) })
        return { token, administrator, mustChangePassword: user.mustChangePassword, ...current }
      })
      if (opened && 'token' in opened) await rememberSession(opened.token)
      else await orm.delete(adminChallenges).where(lt(adminChallenges.createdAt, challengeCutoff))
      return opened
    },

    async continueLogin(challenge) {
      if (!tokenFormat.test(challenge)) return undefined
      const { rows } = await challengeLimit(() =>
        orm.execute<{ id: string; username: string }>(sql`
          update ${adminChallenges} started set attempts = attempts + 1 from ${adminUsers} account
          where account.id = started."adminUserId" and account."isActive" and started."tokenHash" = ${digest(challenge)}
            and started."createdAt" > ${challengeCutoff} and attempts < ${maxProofsPerLogin}
          returning account.id, account.username`),
      )
      const [account] = rows
      return account && { id: Number(account.id), username: account.username }
    },

    async openWithFactor({ administrator, challenge, proof, isKnownDevice }, recordLogin) {
      const { id } = administrator
      const isStarted = and(eq(adminChallenges.tokenHash, digest(challenge)), eq(adminChallenges.adminUserId, id))
      const count = await (isKnownDevice ? guesses.count(id) : guesses.reserve(id))
      const opened = await transaction(async (tx) => {
        // Concurrent logins of the account, a new password and a deactivation wait for this lock.
        const [user] = await tx
          .select({ mustChangePassword: adminUsers.mustChangePassword })
          .from(adminUsers)
          .where(and(eq(adminUsers.id, id), adminUsers.isActive))
          .for('update')
        if (!user || count === undefined || (await tx.$count(adminChallenges, isStarted)) === 0) return undefined
        const used = await factors.consume(tx, id, proof)
        if (!used) return undefined
        await tx.delete(adminChallenges).where(isStarted)
        const token = await insertSession(tx, id)
        await recordLogin(tx, { ...administrator, session: sessionLabel(token) }, used)
        return { token, administrator, mustChangePassword: user.mustChangePassword, used }
      }).catch(async (error: unknown) => {
        // The proof could not be checked, so it was no guess. The database may be the reason: then this fails too.
        if (count !== undefined) await guesses.release(id).catch(() => undefined)
        throw error
      })
      if (!opened) {
        onCodeRefused(administrator)
        if (count === undefined || count >= maxRefusedPerHour) onCodeLimitReached(id)
        return undefined
      }
      await guesses.release(id)
      await rememberSession(opened.token)
      if (opened.used === 'recovery') onRecoveryCodeUsed(id)
      return opened
    },

    async findAdministrator(token, presence) {
      if (!tokenFormat.test(token)) return undefined
      const tokenHash = digest(token)
      const lookUp = () => find(tokenHash)
      const session = await (validTokens.has(tokenHash) ? lookUp() : unknownTokenLimit(lookUp))
      if (!session) {
        validTokens.delete(tokenHash)
        return undefined
      }
      rememberValid(tokenHash)
      const { stale, ...holder } = session
      if (stale && presence === 'active')
        await orm.update(adminSessions).set({ lastSeenAt: sql`now()` }).where(eq(adminSessions.tokenHash, tokenHash))
      return holder
    },

    closeOthers({ id }, token, audit) {
      return transaction(async (tx) => {
        await tx.delete(adminSessions).where(othersOf(id, token))
        await audit(tx)
      })
    },

    async confirm({ administrator, token, password, proof }, audit) {
      const { id } = administrator
      if (!(await checkOwnPassword(administrator, password))) return undefined
      let used: FactorUse | undefined
      const isConfirmed = await transaction(async (tx) => {
        await tx.select({ id: adminUsers.id }).from(adminUsers).where(eq(adminUsers.id, id)).for('update')
        if (await factors.isOn(tx, id)) {
          if (!proof) throw codeRefusal(secondFactorMessages.factorDue)
          const isOwn = 'code' in proof || (await factors.takeChallenge(tx, { ...proof, id, purpose: 'confirm' }))
          used = isOwn ? await factors.consume(tx, id, proof) : undefined
          if (!used) return false
        }
        await markVerified(tx, token)
        await audit(tx)
        return true
      })
      if (used === 'recovery') onRecoveryCodeUsed(id)
      if (isConfirmed) return true
      onCodeRefused(administrator)
      if (Number(await guesses.count(id)) >= maxRefusedPerHour) onCodeLimitReached(id)
      throw proof && 'assertion' in proof
        ? new AppError('invalid', passkeyMessages.refused)
        : codeRefusal(secondFactorMessages.codeWrong)
    },

    async isOwnPassword(administrator, password) {
      return (await checkOwnPassword(administrator, password)) && true
    },

    async changePassword({ administrator, token, device, current, password }, audit) {
      const { id } = administrator
      const user = await checkOwnPassword(administrator, current)
      if (!user) return undefined
      const hashed = await hashPassword(password)
      return transaction(async (tx) => {
        const { rowCount } = await tx
          .update(adminUsers)
          .set({ password: hashed, mustChangePassword: false, ...noRefusedPasswords, updatedAt: sql`now()` })
          .where(and(eq(adminUsers.id, id), eq(adminUsers.password, user.password)))
        if (rowCount !== 1) return undefined
        await tx.delete(adminSessions).where(othersOf(id, token))
        await tx.delete(adminChallenges).where(eq(adminChallenges.adminUserId, id))
        await forgetDevices(tx, id, device)
        // The password alone is not a recent login of an account with a second factor.
        if (!(await factors.isOn(tx, id))) await markVerified(tx, token)
        await audit(tx)
        return true
      })
    },

    close(token, audit) {
      return transaction(async (tx) => {
        await tx.delete(adminSessions).where(eq(adminSessions.tokenHash, digest(token)))
        await audit(tx)
      })
    },
  }
}

/** A recent login of this session. */
async function markVerified(tx: Orm, token: string): Promise<void> {
  await tx
    .update(adminSessions)
    .set({ verifiedAt: sql`now()` })
    .where(eq(adminSessions.tokenHash, digest(token)))
}

function codeRefusal(message: string): AppError {
  return new AppError('invalid', message, { errors: { ownCode: message } })
}

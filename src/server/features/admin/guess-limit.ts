// Bounds the refused passwords of an account per hour, over all addresses and all nodes. The count is in the database.
// An account at its limit answers like a wrong password, so nobody learns from it that the account exists. Devices with
// an earlier login are not refused by it.
import { and, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { adminUsers } from '#server/db/schema.ts'

export const maxRefusedPerHour = 100

export type GuessLimit = ReturnType<typeof createGuessLimit>

export function createGuessLimit({ orm }: Pick<Database, 'orm'>) {
  const { refusedCount, refusedSince } = adminUsers
  /** The hour begins with its first refused password. */
  const isHourOver = sql`(${refusedSince} is null or ${refusedSince} < now() - interval '1 hour')`

  async function add(id: number, condition?: SQL): Promise<number | undefined> {
    const [counted] = await orm
      .update(adminUsers)
      .set({
        refusedCount: sql`case when ${isHourOver} then 1 else ${refusedCount} + 1 end`,
        refusedSince: sql`case when ${isHourOver} then now() else ${refusedSince} end`,
      })
      .where(and(eq(adminUsers.id, id), condition))
      .returning({ count: refusedCount })
    return counted?.count
  }

  return {
    /**
     * Called before a password is checked, so that concurrent guesses on several nodes cannot exceed the limit. Returns
     * the number of guesses of this hour, or undefined if no further one is allowed.
     */
    reserve: (id: number) => add(id, or(isHourOver, lt(refusedCount, maxRefusedPerHour))),

    /** The reserved guess was right, or could not be checked. */
    async release(id: number): Promise<void> {
      await orm
        .update(adminUsers)
        .set({
          refusedCount: sql`greatest(${refusedCount} - 1, 0)`,
          refusedSince: sql`case when ${refusedCount} > 1 then ${refusedSince} end`,
        })
        .where(eq(adminUsers.id, id))
    },

    /** A refused password of a known device or of an open session. Returns the number of this hour. */
    count: (id: number) => add(id),
  }
}

/** A new password makes earlier guesses worthless. */
export const noRefusedPasswords = { refusedCount: 0, refusedSince: null }

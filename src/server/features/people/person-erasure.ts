// Erases everything about a person: all records of the mailbox, conversations, deliveries, links and local e-mails.

import { adminMessages } from '#contract/admin/messages.ts'
import { peopleKinds } from '#contract/admin/people.ts'
import type { ErasureCounts } from '#contract/admin/people-erasure.ts'
import { eraseFromImportedFiles } from '#server/adapters/tables/imported-files.ts'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import type { ErasedPerson } from '#server/core/removal-journal.ts'
import { retry } from '#server/core/retry.ts'
import type { Audit } from '#server/db/audit.ts'
import { codeOf } from '#server/db/database.ts'
import { insertErasedPerson } from '#server/db/erased-people.ts'
import {
  countMailboxTraces,
  eraseFromOutbox,
  eraseMailbox,
  findMailboxRecords,
  idsOf,
  type MailboxRecord,
  recordRemovedRequests,
} from '#server/db/mailbox-erasure.ts'
import { lockMailbox } from '#server/db/mailbox-lock.ts'
import { conversationsOf } from '#server/db/own-conversations.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'
import type { Deps } from '#server/deps.ts'

const { people: texts } = adminMessages

/** Each round erases what was stored during the one before. */
const maxRounds = 5
const retryMs = 3_000
/** With a signature or an e-mail of the same person. Other failures are the caller's to repeat. */
const isDeadlock = (error: unknown) => codeOf(error) === '40P01'

export interface ErasureRequester {
  audit: Audit
  /**
   * A person who proves to own the mailbox may erase what was entered with its address. Conversations that only have the same
   * phone number may be somebody else's: an administrator can tell.
   */
  isOwner?: true
}

interface ErasureDeps extends Pick<Deps, 'database' | 'removals' | 'erasedMail'> {
  deliveries: Pick<Deps['deliveries'], 'wake'>
}

export type PersonErasure = ReturnType<typeof createPersonErasure>

export function createPersonErasure({ database, removals, deliveries, erasedMail }: ErasureDeps) {
  const { orm, transaction } = database

  async function find(mailbox: string, { isOwner }: { isOwner: boolean }) {
    const records = await findMailboxRecords(orm, mailbox)
    const phones = isOwner ? [] : records.map(({ whatsapp }) => whatsapp)
    return { records, conversations: await conversationsOf(orm, { mailbox, phones }) }
  }

  async function count(mailbox: string, found: Awaited<ReturnType<typeof find>>): Promise<ErasureCounts> {
    const ofKind = (table: string) => found.records.filter(({ source }) => source === table).length
    return {
      registros: peopleKinds.map((tipo) => ({ tipo, n: ofKind(peopleDescriptors[tipo].table) })),
      conversas: found.conversations.length,
      ...(await countMailboxTraces(orm, mailbox, idsOf(found.records))),
    }
  }

  /** The time after which records are of the person who came back, by the clock of the database or of any node. */
  async function timeOfErasure(records: MailboxRecord[]): Promise<Date> {
    const [row] = await database.query<{ now: Date }>('', 'select clock_timestamp() as now', [])
    const newest = records.map(({ createdAt }) => Date.parse(createdAt))
    return new Date(Math.max(row?.now.getTime() ?? Date.now(), ...newest) + 1)
  }

  return {
    /** What `erasePerson` would erase. `email`: any address of the mailbox. */
    async preview(email: string, { isOwner = false } = {}): Promise<ErasureCounts> {
      const mailbox = mailboxOf(canonicalizeEmail(email))
      return count(mailbox, await find(mailbox, { isOwner }))
    },

    /**
     * `email`: any address of the mailbox. Everything in the database is deleted in one transaction, so that an
     * interrupted erasure can be repeated from the same page. What comes before may be done twice.
     */
    async erasePerson(email: string, by: ErasureRequester): Promise<ErasureCounts> {
      const mailbox = mailboxOf(canonicalizeEmail(email))
      const isOwner = by.isOwner === true
      // May take seconds, so it comes before the time of the erasure: other nodes look for recent times.
      await eraseFromImportedFiles(database, (address) => mailboxOf(address) === mailbox)
      const found = await find(mailbox, { isOwner })
      const counts = await count(mailbox, found)
      const person: ErasedPerson = {
        mailboxHmac: orm.addressHmac(mailbox),
        erasedAt: await timeOfErasure(found.records),
        byOwner: isOwner,
      }
      await removals.appendErased(person)

      let { records, conversations } = found
      for (let round = 1; round === 1 || (records.length > 0 && round <= maxRounds); round += 1) {
        const erased = { mailbox, records, conversations }
        await recordRemovedRequests(orm, records)
        await eraseFromOutbox(orm, mailbox, idsOf(records))
        const eraseAll = () =>
          transaction(async (tx) => {
            await lockMailbox(tx, tx.addressHmac(mailbox))
            await eraseMailbox(tx, erased)
            await insertErasedPerson(tx, person)
            if (round === 1) await by.audit(tx, texts.erasedRecords(erased.records.length))
          })
        await retry(eraseAll, { timeoutMs: retryMs, isTransient: isDeadlock })
        // Stored between the search and the deletion. Later records are of the person who came back.
        records = (await findMailboxRecords(orm, mailbox)).filter(
          ({ createdAt }) => Date.parse(createdAt) <= person.erasedAt.getTime(),
        )
        conversations = []
      }
      deliveries.wake()
      await erasedMail.apply()
      return counts
    },
  }
}

// Erases people from the spreadsheets that the site used before. Each erasure is a separate delivery, so that an
// unreachable spreadsheet does not delay the current one or the others. Administrators see its dead letters.
import { openFormerSpreadsheet, type SheetSettings } from '#server/adapters/sheets/open.ts'
import { reasons } from '#server/adapters/sheets/reasons.ts'
import { SheetFailure } from '#server/adapters/sheets/spreadsheet.ts'
import type { Database } from '#server/db/database.ts'
import { enqueueSql } from '#server/db/outbox.ts'
import type { DeliveryHandler } from '#server/outbox/queue/delivery.ts'
import type { Payload } from '#server/outbox/queue/kinds.ts'
import { DeliveryFailure } from '#server/outbox/queue/retry-policy.ts'
import { createSheetLease, type Outcome } from '#server/outbox/sheet/sheet-lease.ts'
import { tabOf } from '#server/outbox/sheet/sheet-rows.ts'
import type { SheetTask } from '#server/outbox/sheet/sheet-tasks.ts'

const kind = 'planilha-remover-antiga'

// If an erasure in the current sheet is retried, erasures that already wait are not queued again.
const queueErasures = enqueueSql(kind, 'erasure', {
  clauses: `from planilhas
    cross join lateral (
      select jsonb_build_object('planilha', name, 'aba', $2::text, 'tabela', $3::text, 'ids', $4::jsonb)) as built(erasure)
    where name <> $1 and not exists (select from outbox where kind = '${kind}' and payload = erasure)`,
})

export async function eraseFromFormerSheets({ query }: Database, current: string, task: SheetTask): Promise<void> {
  const ids = task.records.map(({ id }) => id)
  await query('erase-from-former-sheets', queueErasures, [current, task.aba, task.table, JSON.stringify(ids)])
}

const busy = 'Outro servidor está gravando nela. Vamos tentar de novo.'
const noAccount = 'a conta de serviço do Google não está configurada. Configure-a e reenvie, ou apague a linha à mão.'

export function createFormerSheetErasure(database: Database, settings: SheetSettings): DeliveryHandler<typeof kind> {
  let stopping = new AbortController()

  async function erase({ planilha, aba, tabela, ids }: Payload<typeof kind>): Promise<void> {
    const failed = (reason: string, permanent: boolean) =>
      new DeliveryFailure(permanent ? 'never' : 'again', `Planilha usada antes (${planilha}): ${reason}`)
    const spreadsheet = openFormerSpreadsheet(planilha, settings, {
      async beforeWrite() {
        if (!(await lease.beforeWrite(stopping.signal))) throw new SheetFailure(busy, {})
      },
      leaving: () => stopping.signal,
    })
    if (!spreadsheet) throw failed(noAccount, true)
    const lease = createSheetLease(database, spreadsheet)
    if (!(await lease.take(stopping.signal))) throw failed(busy, false)
    let outcome: Outcome
    try {
      const tab = tabOf(aba, tabela)
      const erased = new Set(ids)
      for (const title of await spreadsheet.titles())
        await spreadsheet.tidy({ ...tab, title }, { erased, copies: 'keep' })
      outcome = { succeeded: true }
    } catch (error) {
      if (!(error instanceof SheetFailure)) throw error
      outcome = { failure: error.message }
      // The spreadsheet was deleted, so its rows no longer exist.
      if (error.message === reasons.unknownId) return
      throw failed(error.message, error.permanent)
    } finally {
      await lease.release(outcome)
    }
  }

  return {
    name: 'planilhas-antigas',
    kinds: [kind],
    atOnce: 1,
    async perform(deliveries) {
      if (stopping.signal.aborted) stopping = new AbortController()
      for (const { payload } of deliveries) await erase(payload)
    },
    abort: () => stopping.abort(),
  }
}

// Erases people from the spreadsheets that the site used before. Each erasure is a delivery of its own: a sheet that cannot be
// reached delays neither the current one nor the others, and is shown to administrators.
import { openFormerSpreadsheet, type SheetSettings } from '#server/adapters/sheets/open.ts'
import { reasons } from '#server/adapters/sheets/reasons.ts'
import { SheetFailure } from '#server/adapters/sheets/spreadsheet.ts'
import type { Database } from '#server/db/database.ts'
import { type Courier, type Delivery, DeliveryFailure } from '#server/outbox/delivery.ts'
import { createSheetLease, type Outcome } from '#server/outbox/sheet-lease.ts'
import { isSheetTable, tabOf } from '#server/outbox/sheet-tables.ts'
import type { SheetWork } from '#server/outbox/sheet-work.ts'

const kind = 'planilha-remover-antiga'

interface Erasure {
  planilha: string
  aba: string
  tabela: string
  ids: string[]
}

// An erasure that is tried again for the current sheet queues nothing that waits already.
const queueErasures = `
insert into outbox (tipo, dados)
select '${kind}', erasure from planilhas
cross join lateral (select jsonb_build_object('planilha', nome, 'aba', $2::text, 'tabela', $3::text, 'ids', $4::jsonb)) as made(erasure)
where nome <> $1 and not exists (select from outbox where tipo = '${kind}' and dados = erasure)`

export async function eraseFromFormerSheets({ query }: Database, current: string, work: SheetWork): Promise<void> {
  const ids = work.records.map(({ id }) => id)
  await query('erase-from-former-sheets', queueErasures, [current, work.aba, work.table, JSON.stringify(ids)])
}

const busy = 'Outro servidor está gravando nela. Vamos tentar de novo.'
const noAccount = 'a conta de serviço do Google não está configurada. Configure-a e reenvie, ou apague a linha à mão.'

export function createFormerSheetErasure(database: Database, settings: SheetSettings): Courier {
  let leaving = new AbortController()

  async function erase({ planilha, aba, tabela, ids }: Erasure): Promise<void> {
    const failed = (reason: string, permanent: boolean) =>
      new DeliveryFailure(permanent ? 'never' : 'again', `Planilha usada antes (${planilha}): ${reason}`)
    const spreadsheet = openFormerSpreadsheet(planilha, settings, {
      async beforeWrite() {
        if (!(await lease.beforeWrite(leaving.signal))) throw new SheetFailure(busy, {})
      },
      leaving: () => leaving.signal,
    })
    if (!spreadsheet) throw failed(noAccount, true)
    const lease = createSheetLease(database, spreadsheet)
    if (!(await lease.take(leaving.signal))) throw failed(busy, false)
    let outcome: Outcome
    try {
      const tab = tabOf(aba, isSheetTable(tabela) ? tabela : 'peticoes')
      const erased = new Set(ids)
      for (const title of await spreadsheet.titles())
        await spreadsheet.tidy({ ...tab, title }, { erased, copies: 'keep' })
      outcome = { succeeded: true }
    } catch (error) {
      if (!(error instanceof SheetFailure)) throw error
      outcome = { failure: error.message }
      // Somebody deleted the sheet, and its rows with it.
      if (error.message === reasons.unknownId) return
      throw failed(error.message, error.permanent)
    } finally {
      await lease.release(outcome)
    }
  }

  return {
    name: 'planilhas-antigas',
    tipos: [kind],
    atOnce: 1,
    async perform(deliveries: Delivery[]) {
      if (leaving.signal.aborted) leaving = new AbortController()
      for (const { dados } of deliveries) await erase(dados as Erasure)
    },
    abort: () => leaving.abort(),
  }
}

// Exports of lists, read and written step by step, at a pace that leaves signing its place. Each is on record when it begins and when it ends.
import { setTimeout as delay } from 'node:timers/promises'
import { pieceHead, writeNote } from '#contract/admin/export-stream.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { ExportFormat, PeopleFilters, PeopleKind } from '#contract/admin/people.ts'
import { localTime } from '#server/core/brazil-time.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { columnsOf, writeCsv, writeWorkbook } from '#server/features/people/export-columns.ts'
import type { WholeRow } from '#server/features/people/kinds.ts'
import type { People, Total } from '#server/features/people/people.ts'
import type { Administrator } from '#server/http/guard.ts'
import type { RecordDeed } from '#server/http/mount.ts'

export interface ExportOrder {
  tipo: PeopleKind
  formato: ExportFormat
  filters: PeopleFilters
  withReserved: boolean
}

export interface Orderer {
  administrator: Administrator
  about(subject: string): void
}

export interface Exports {
  open(order: ExportOrder, orderer: Orderer): Promise<AsyncIterable<Uint8Array>>
}

const mostAtOnce = 2
const noteEveryMs = 200
/** Of the time that a step took. */
const restingShare = 0.5
export const finishedDeed = 'Terminou de exportar pessoas'

export interface ExportDeps {
  people: People
  recordDeed: RecordDeed
  log: Log
}

export function createExports({ people, recordDeed, log }: ExportDeps): Exports {
  let underWay = 0

  /** While the search is being prepared nobody is counted; everybody is read all the same. */
  async function totalOf(tipo: PeopleKind, filters: PeopleFilters): Promise<Total> {
    try {
      return await people.count(tipo, filters)
    } catch (error) {
      if (error instanceof AppError && error.refusal === 'unavailable') return { total: 0, exato: false }
      throw error
    }
  }

  async function* write(order: ExportOrder, administrator: Administrator): AsyncGenerator<Uint8Array> {
    // Those who ask in the same moment pass the door together.
    const isBusy = underWay >= mostAtOnce
    underWay += 1
    const { tipo, formato, filters, withReserved } = order
    let linhas = 0
    let bytes = 0
    let outcome = 'interrompida'
    let pieces: AsyncGenerator<Buffer> | undefined

    async function* batches(): AsyncGenerator<WholeRow[]> {
      let startedAt = performance.now()
      for await (const rows of people.everybody(tipo, filters)) {
        linhas += rows.length
        yield rows
        await delay(restingShare * (performance.now() - startedAt))
        startedAt = performance.now()
      }
    }

    try {
      if (isBusy) {
        outcome = 'recusada'
        return yield* writeNote({ erro: adminMessages.people.busy })
      }
      yield* writeNote({ nome: `${tipo}-${today()}.${formato}`, ...(await totalOf(tipo, filters)) })
      const columns = columnsOf(tipo, withReserved ? people.reservedOf : undefined)
      const sheet = { title: titles[tipo], columns, batches: batches() }
      pieces = formato === 'csv' ? writeCsv(sheet) : writeWorkbook(sheet)
      let next = pieces.next()
      let tick = delay(noteEveryMs)
      for (;;) {
        // Also while nobody is found for long: whoever stands in between would take silence for an end.
        const arrived = await Promise.race([next, tick])
        if (!arrived) {
          tick = delay(noteEveryMs)
          yield* writeNote({ linhas })
          continue
        }
        if (arrived.done) break
        bytes += arrived.value.length
        yield pieceHead(arrived.value.length)
        yield arrived.value
        next = pieces.next()
      }
      outcome = 'completa'
      yield* writeNote({ fim: { linhas, bytes } })
    } catch (error) {
      outcome = 'falhou'
      log.warn({ err: error }, 'export failed')
      yield* writeNote({ erro: adminMessages.people.exportFailed })
    } finally {
      await pieces?.return(undefined)
      underWay -= 1
      const subject = `${tipo}, ${formato}, ${linhas} linhas, ${outcome}`
      await recordDeed({ administrator, deed: finishedDeed, subject }).catch((error) =>
        log.warn({ err: error }, 'end of an export is not on record'),
      )
    }
  }

  return {
    async open(order, { administrator, about }) {
      if (underWay >= mostAtOnce) throw new AppError('too-many', adminMessages.people.busy)
      about(wordOrder(order))
      return write(order, administrator)
    },
  }
}

const titles: Record<PeopleKind, string> = {
  assinaturas: 'Assinaturas',
  voluntarios: 'Voluntários',
  influenciadores: 'Influenciadores',
  lideres: 'Líderes',
}

const today = () => localTime(new Date()).slice(0, 10).split('/').reverse().join('-')

/** What was searched for may be a person's name or address: its beginning is enough to know it again. */
function wordOrder({ tipo, formato, filters, withReserved }: ExportOrder): string {
  const words = Object.entries(filters)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${name === 'busca' ? `${String(value).slice(0, 3)}…` : value}`)
  return [tipo, formato, ...words, ...(withReserved && tipo === 'lideres' ? ['com dados reservados'] : [])].join(', ')
}

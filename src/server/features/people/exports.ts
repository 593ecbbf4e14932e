// Exports of people, in steps with pauses for signing. The audit log contains the start and the end of each export.
import { setTimeout as delay } from 'node:timers/promises'
import { pieceHead, writeNote } from '#contract/admin/export-stream.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { type ExportFormat, kindLabels, type PeopleFilters, type PeopleKind } from '#contract/admin/people.ts'
import { dayOf } from '#server/core/brazil-time.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { columnsOf, type ExportedRow, writeCsv, writeWorkbook } from '#server/features/people/export-files.ts'
import type { People } from '#server/features/people/people.ts'
import type { Total } from '#server/features/people/people-count.ts'
import type { WorkflowService } from '#server/features/people/workflow.ts'
import type { Administrator } from '#server/http/guard.ts'
import type { RecordAudit } from '#server/http/mount.ts'

interface ExportRequest {
  tipo: PeopleKind
  formato: ExportFormat
  filters: PeopleFilters
  withReserved: boolean
  withNotes: boolean
}

interface Requester {
  administrator: Administrator
  about(subject: string): void
}

const maxAtOnce = 2
const progressEveryMs = 200
/** Pause after each step, as a share of its duration. */
const pauseShare = 0.5
const finishedExport = 'Terminou de exportar pessoas'

interface ExportDeps {
  people: People
  workflow: WorkflowService
  recordAudit: RecordAudit
  log: Log
}

export function createExports({ people, workflow, recordAudit, log }: ExportDeps) {
  let running = 0

  /** While the search index is being built there is no total, but all rows can be read. */
  async function totalOf(tipo: PeopleKind, filters: PeopleFilters): Promise<Total> {
    try {
      return await people.count(tipo, filters)
    } catch (error) {
      if (error instanceof AppError && error.refusal === 'unavailable') return { total: 0, exato: false }
      throw error
    }
  }

  async function* write(request: ExportRequest, administrator: Administrator): AsyncGenerator<Uint8Array> {
    // Checked again: concurrent requests can all pass the check in `open`.
    const isBusy = running >= maxAtOnce
    running += 1
    const { tipo, formato, filters, withReserved, withNotes } = request
    let linhas = 0
    let bytes = 0
    let outcome = 'interrompida'
    let chunks: AsyncGenerator<Buffer> | undefined

    async function* batches(): AsyncGenerator<ExportedRow[]> {
      let startedAt = performance.now()
      for await (const found of people.stream(tipo, filters)) {
        const readable = withReserved ? found.map((row) => ({ ...row, reserved: people.reservedOf(row) })) : found
        const rows = await workflow.addTo(tipo, readable)
        const notes = withNotes
          ? await workflow.noteTexts(
              tipo,
              rows.map(({ id }) => id),
            )
          : undefined
        linhas += rows.length
        yield notes ? rows.map((row) => ({ ...row, notas: notes.get(row.id) })) : rows
        await delay(pauseShare * (performance.now() - startedAt))
        startedAt = performance.now()
      }
    }

    try {
      if (isBusy) {
        outcome = 'recusada'
        return yield* writeNote({ erro: adminMessages.people.busy })
      }
      yield* writeNote({ nome: `${tipo}-${dayOf(new Date())}.${formato}`, ...(await totalOf(tipo, filters)) })
      const columns = columnsOf(tipo, { withReserved, withNotes })
      const sheet = { title: kindLabels[tipo].list, columns, batches: batches() }
      chunks = formato === 'csv' ? writeCsv(sheet) : writeWorkbook(sheet)
      let next = chunks.next()
      let progressTimer = delay(progressEveryMs)
      for (;;) {
        // Progress is also sent while no rows are found: a proxy could close a silent connection.
        const chunk = await Promise.race([next, progressTimer])
        if (!chunk) {
          progressTimer = delay(progressEveryMs)
          yield* writeNote({ linhas })
          continue
        }
        if (chunk.done) break
        bytes += chunk.value.length
        yield pieceHead(chunk.value.length)
        yield chunk.value
        next = chunks.next()
      }
      outcome = 'completa'
      yield* writeNote({ fim: { linhas, bytes } })
    } catch (error) {
      outcome = 'falhou'
      log.warn({ err: error }, 'export failed')
      yield* writeNote({ erro: adminMessages.people.exportFailed })
    } finally {
      await chunks?.return(undefined)
      running -= 1
      const subject = `${tipo}, ${formato}, ${linhas} linhas, ${outcome}`
      await recordAudit({ administrator, action: finishedExport, subject }).catch((error) =>
        log.warn({ err: error }, 'end of an export is not on record'),
      )
    }
  }

  return {
    async open(request: ExportRequest, { administrator, about }: Requester): Promise<AsyncIterable<Uint8Array>> {
      if (running >= maxAtOnce) throw new AppError('too-many', adminMessages.people.busy)
      about(describe(request))
      return write(request, administrator)
    },
  }
}

/** The search text can be a name or an e-mail address, so the audit log gets only its first letters. */
export function describeFilters(filters: PeopleFilters): string[] {
  return Object.entries(filters)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${name === 'busca' ? `${String(value).slice(0, 3)}…` : value}`)
}

function describe({ tipo, formato, filters, withReserved, withNotes }: ExportRequest): string {
  const choices = [
    ...(withReserved && tipo === 'lideres' ? ['com dados reservados'] : []),
    ...(withNotes ? ['com notas'] : []),
  ]
  return [tipo, formato, ...describeFilters(filters), ...choices].join(', ')
}

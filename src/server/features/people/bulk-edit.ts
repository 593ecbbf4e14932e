// Edits the workflow of many records, in short transactions. The audit log contains the start and the end of an edit.
import { sql } from 'drizzle-orm'
import { writeNote } from '#contract/admin/export-stream.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { PeopleKind } from '#contract/admin/people.ts'
import type { PeopleEdit } from '#contract/admin/people-edits.ts'
import { maxTags, workflowStatuses } from '#contract/admin/people-workflow.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'
import { describeFilters } from '#server/features/people/exports.ts'
import type { People } from '#server/features/people/people.ts'
import { requireOwner } from '#server/features/people/workflow.ts'
import type { Administrator } from '#server/http/guard.ts'
import type { RecordAudit } from '#server/http/mount.ts'

const { workflow: texts } = adminMessages

/** Records per transaction. */
const chunkSize = 500
const maxAtOnce = 2
const finishedEdit = 'Terminou de editar pessoas em conjunto'

interface BulkEditDeps {
  database: Database
  people: People
  throttle: BackgroundThrottle
  recordAudit: RecordAudit
  log: Log
  /** Called when tags may have been added or removed. */
  onTagged(): void
}

interface Requester {
  administrator: Administrator
  about(subject: string): void
}

interface Change {
  status: string | null
  setsOwner: boolean
  ownerId: number | null
  added: string[]
  removed: string[]
}

export function createBulkEdit({ database, people, throttle, recordAudit, log, onTagged }: BulkEditDeps) {
  let running = 0

  async function* idsOf(tipo: PeopleKind, { ids, filtros }: PeopleEdit): AsyncGenerator<string[]> {
    if (ids) yield ids
    else if (filtros) for await (const rows of people.stream(tipo, filtros)) yield rows.map(({ id }) => id)
  }

  /** Returns the number of edited records, and of those whose tags stayed. Records that were erased are skipped. */
  async function editChunk(tipo: PeopleKind, ids: string[], change: Change) {
    const { status, setsOwner, ownerId, added, removed } = change
    const tags = sql`(
      select coalesce(array_agg(tag order by n), '{}') from (
        select tag, min(n) as n from unnest(w.tags || ${sql.param(added)}::text[]) with ordinality as all_tags(tag, n)
        where tag <> all(${sql.param(removed)}::text[]) group by tag) kept)`
    return database.transaction(async (tx) => {
      // The lock keeps a concurrent erasure from leaving a row behind. In order, so that two edits cannot deadlock.
      const { rows } = await tx.execute<{ isTagged: boolean }>(sql`
        with locked as materialized (
          select id from ${sql.identifier(peopleDescriptors[tipo].table)} where id = any(${sql.param(ids)}::uuid[]) order by id for key share)
        insert into people_workflow as w (kind, id, status, "ownerId", tags)
        select ${tipo}, id, coalesce(${status}::text, 'novo'), ${ownerId}::bigint, ${sql.param(added)}::text[] from locked
        on conflict (kind, id) do update set
          status = coalesce(${status}::text, w.status),
          "ownerId" = case when ${setsOwner}::boolean then ${ownerId}::bigint else w."ownerId" end,
          tags = case when cardinality(${tags}) <= ${maxTags} then ${tags} else w.tags end,
          "updatedAt" = now()
        returning w.tags @> ${sql.param(added)}::text[] and not w.tags && ${sql.param(removed)}::text[] as "isTagged"`)
      return { edited: rows.length, untagged: rows.filter(({ isTagged }) => !isTagged).length }
    })
  }

  async function* run(
    tipo: PeopleKind,
    edit: PeopleEdit,
    change: Change,
    administrator: Administrator,
  ): AsyncGenerator<Uint8Array> {
    // Checked again: concurrent requests can all pass the check in `open`.
    const isBusy = running >= maxAtOnce
    running += 1
    let linhas = 0
    let semEtiquetas = 0
    let outcome = 'interrompida'
    try {
      if (isBusy) {
        outcome = 'recusada'
        return yield* writeNote({ erro: texts.editBusy })
      }
      for await (const found of idsOf(tipo, edit)) {
        for (let first = 0; first < found.length; first += chunkSize) {
          const chunk = found.slice(first, first + chunkSize)
          const { edited, untagged } = await throttle.run(() => editChunk(tipo, chunk, change))
          linhas += edited
          semEtiquetas += untagged
        }
        // Also sent while nobody is found: a proxy could close a silent connection.
        yield* writeNote({ linhas })
      }
      outcome = 'completa'
      yield* writeNote({ fim: { linhas, bytes: 0, semEtiquetas } })
    } catch (error) {
      outcome = 'falhou'
      log.warn({ err: error }, 'bulk edit of people failed')
      yield* writeNote({ erro: texts.editFailed })
    } finally {
      running -= 1
      onTagged()
      const subject = `${tipo}, ${linhas} registros, ${outcome}`
      await recordAudit({ administrator, action: finishedEdit, subject }).catch((error) =>
        log.warn({ err: error }, 'end of a bulk edit is not on record'),
      )
    }
  }

  return {
    async open(tipo: PeopleKind, edit: PeopleEdit, { administrator, about }: Requester) {
      const { ids, filtros, status, responsavel, incluir = [], tirar = [] } = edit
      if (!ids === !filtros) throw new AppError('invalid', texts.noSelection)
      if (status === undefined && responsavel === undefined && incluir.length + tirar.length === 0)
        throw new AppError('invalid', texts.nothing)
      if (running >= maxAtOnce) throw new AppError('too-many', texts.editBusy)
      const ownerId = responsavel ? await requireOwner(database.orm, responsavel) : null
      about(describe(tipo, edit))
      const change = {
        ...{ status: status ?? null, setsOwner: responsavel !== undefined, ownerId },
        ...{ added: incluir.filter((tag) => !tirar.includes(tag)), removed: tirar },
      }
      return run(tipo, edit, change, administrator)
    },
  }
}

function describe(tipo: PeopleKind, edit: PeopleEdit): string {
  const { ids, filtros = {}, status, responsavel, incluir = [], tirar = [] } = edit
  return [
    tipo,
    ...(ids ? [`${ids.length} selecionadas`] : ['todas do filtro', ...describeFilters(filtros)]),
    ...(status ? [`situação → ${workflowStatuses[status]}`] : []),
    ...(responsavel === undefined ? [] : [`responsável → ${responsavel ?? 'ninguém'}`]),
    ...(incluir.length > 0 ? [`etiquetas + ${incluir.join(', ')}`] : []),
    ...(tirar.length > 0 ? [`etiquetas − ${tirar.join(', ')}`] : []),
  ].join(', ')
}

// Status, owner, tags and notes of records. Triggers delete them with their record.
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import type { Note, PeopleKind } from '#contract/admin/people.ts'
import type { WorkflowChanges } from '#contract/admin/people-edits.ts'
import { maxTags, newWorkflow, type Workflow, workflowStatuses } from '#contract/admin/people-workflow.ts'
import { auditChanges } from '#server/core/audit-changes.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { createSwrCache } from '#server/core/swr-cache.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'

const { workflow: texts, people: peopleTexts } = adminMessages

/** A record of the audit log: names of persons do not belong there. */
export const recordSubject = (tipo: PeopleKind, id: string) => `${tipo} ${id}`

const changeLabels = { status: 'situação', responsavel: 'responsável' }
const describeWorkflow = ({ status, responsavel }: Workflow) => ({
  status: workflowStatuses[status],
  responsavel: responsavel ?? '',
})

/** Only numbers: the entry stays after the person is erased. */
function tagChange(before: string[], after: string[]) {
  const added = after.filter((tag) => !before.includes(tag)).length
  const removed = before.filter((tag) => !after.includes(tag)).length
  if (added + removed === 0) return []
  return [{ field: 'etiquetas', before: String(before.length), after: `${after.length} (+${added} −${removed})` }]
}

/** Reading all tags takes a second where hundreds of thousands of records have some. */
const tagsPeriodMs = 30_000
const maxSuggestedTags = 200

export type WorkflowService = ReturnType<typeof createWorkflow>

export function createWorkflow({ database, log }: { database: Database; log: Log }) {
  const tags = createSwrCache(
    async () => {
      const rows = await database.query<{ tag: string }>(
        '',
        `select tag from people_workflow, unnest(tags) as tag group by tag order by count(*) desc, tag limit ${maxSuggestedTags}`,
        [],
      )
      return rows.map(({ tag }) => tag)
    },
    { periodMs: tagsPeriodMs, onFailure: (error) => log.warn({ err: error }, 'tags of people could not be read') },
  )

  async function read(tipo: PeopleKind, ids: string[]): Promise<Map<string, Workflow>> {
    if (ids.length === 0) return new Map()
    const rows = await database.query<Workflow & { id: string }>(
      '',
      `select w.id, w.status, w.tags as etiquetas, u.username as responsavel
      from unnest($2::uuid[]) as given(id)
      cross join lateral (select * from people_workflow where kind = $1 and id = given.id offset 0) w
      left join admin_users u on u.id = w."ownerId"`,
      [tipo, ids],
    )
    return new Map(rows.map(({ id, ...workflow }) => [id, workflow]))
  }

  /** A lock on the record, so that a concurrent erasure cannot leave anything behind. */
  async function lockRecord(tx: Orm, tipo: PeopleKind, id: string): Promise<void> {
    const { rows } = await tx.execute(
      sql`select 1 from ${sql.identifier(peopleDescriptors[tipo].table)} where id = ${id} for key share`,
    )
    if (rows.length === 0) throw new AppError('not-found', peopleTexts.notFound)
  }

  return {
    read,
    /** Adds the workflow to records of a list. */
    async addTo<Row extends { id: string }>(tipo: PeopleKind, rows: Row[]): Promise<(Row & Workflow)[]> {
      const found = await read(
        tipo,
        rows.map(({ id }) => id),
      )
      return rows.map((row) => ({ ...row, ...(found.get(row.id) ?? newWorkflow) }))
    },

    async update(tipo: PeopleKind, id: string, changes: WorkflowChanges, audit: Audit): Promise<Workflow> {
      const { status, responsavel, incluir = [], tirar = [] } = changes
      const changesTags = incluir.length + tirar.length > 0
      if (status === undefined && responsavel === undefined && !changesTags)
        throw new AppError('invalid', texts.nothing)
      const after = await database.transaction(async (tx) => {
        await lockRecord(tx, tipo, id)
        const ownerId = responsavel ? await requireOwner(tx, responsavel) : null
        await tx.execute(sql`insert into people_workflow (kind, id) values (${tipo}, ${id}) on conflict do nothing`)
        const { rows } = await tx.execute<Workflow & Record<string, unknown>>(sql`
          select w.status, w.tags as etiquetas, (select username from admin_users where id = w."ownerId") as responsavel
          from people_workflow w where kind = ${tipo} and id = ${id} for update`)
        const before: Workflow = rows[0] ?? newWorkflow
        const changed: Workflow = {
          status: status ?? before.status,
          responsavel: responsavel === undefined ? before.responsavel : responsavel,
          etiquetas: [...new Set([...before.etiquetas, ...incluir])].filter((tag) => !tirar.includes(tag)),
        }
        if (incluir.length > 0 && changed.etiquetas.length > maxTags)
          throw new AppError('invalid', texts.tooManyTags, { errors: { incluir: texts.tooManyTags } })
        await tx.execute(sql`
          update people_workflow set status = ${changed.status}, tags = ${sql.param(changed.etiquetas)}, "updatedAt" = now()
            ${responsavel === undefined ? sql`` : sql`, "ownerId" = ${ownerId}`}
          where kind = ${tipo} and id = ${id}`)
        await audit(tx, recordSubject(tipo, id), [
          ...auditChanges(changeLabels, describeWorkflow(before), describeWorkflow(changed)),
          ...tagChange(before.etiquetas, changed.etiquetas),
        ])
        return changed
      })
      if (changesTags) tags.expire()
      return after
    },

    async notesOf(tipo: PeopleKind, id: string): Promise<Note[]> {
      const rows = await database.query<{ id: string; autor: string; texto: string; quando: Date }>(
        '',
        `select id, author as autor, text as texto, "createdAt" as quando from people_notes
        where kind = $1 and "recordId" = $2 order by id desc`,
        [tipo, id],
      )
      return rows.map((row) => ({ ...row, id: Number(row.id), quando: row.quando.toISOString() }))
    },

    /** The notes of each record as one text, the oldest first. For exports. */
    async noteTexts(tipo: PeopleKind, ids: string[]): Promise<Map<string, string>> {
      const rows = await database.query<{ id: string; texts: string }>(
        '',
        `select "recordId" as id, string_agg(to_char("createdAt" at time zone 'America/Sao_Paulo', 'YYYY-MM-DD HH24:MI') || ' ' || author || ': ' || text, E'\\n' order by id) as texts
        from people_notes where kind = $1 and "recordId" = any($2::uuid[]) group by "recordId"`,
        [tipo, ids],
      )
      return new Map(rows.map(({ id, texts }) => [id, texts]))
    },

    async addNote(tipo: PeopleKind, id: string, note: { author: string; text: string }, audit: Audit): Promise<void> {
      await database.transaction(async (tx) => {
        await lockRecord(tx, tipo, id)
        await tx.execute(
          sql`insert into people_notes (kind, "recordId", author, text) values (${tipo}, ${id}, ${note.author}, ${note.text})`,
        )
        await audit(tx, recordSubject(tipo, id))
      })
    },

    async removeNote(tipo: PeopleKind, id: string, noteId: string, audit: Audit): Promise<void> {
      await database.transaction(async (tx) => {
        const { rows } = await tx.execute<{ author: string }>(
          sql`delete from people_notes where kind = ${tipo} and "recordId" = ${id} and id = ${noteId} returning author`,
        )
        const [removed] = rows
        if (!removed) throw new AppError('not-found', texts.noteGone)
        await audit(tx, `${recordSubject(tipo, id)}, nota de ${removed.author}`)
      })
    },

    /** The suggested tags are read again. */
    expireTags: (): void => tags.expire(),

    async options(): Promise<{ equipe: string[]; etiquetas: string[] }> {
      const members = await database.query<{ username: string }>(
        '',
        'select username from admin_users where "isActive" order by lower(username)',
        [],
      )
      return { equipe: members.map(({ username }) => username), etiquetas: await tags.get() }
    },
  }
}

/** The id of an active administrator. */
export async function requireOwner(tx: Orm, username: string): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select id from admin_users where username = ${username} and "isActive"`,
  )
  if (!rows[0]) throw new AppError('invalid', texts.ownerUnknown, { errors: { responsavel: texts.ownerUnknown } })
  return Number(rows[0].id)
}

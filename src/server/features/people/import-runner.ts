// Runs imports in the background, on any node, in short transactions. A chunk and its progress are committed together,
// so that an import continues after a crash without duplicates.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { readStagedRows, type StagedRow } from '#server/adapters/tables/staged-table.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { type Database, isTransient, type Orm } from '#server/db/database.ts'
import { insertImported } from '#server/db/imported-records.ts'
import { acceptedByHour } from '#server/db/signature-counts.ts'
import { type ImportSettings, readImportedRow } from '#server/features/people/import-rows.ts'
import type { RecordAudit } from '#server/http/mount.ts'

const { imports: texts } = adminMessages

/** Rows per transaction: a chunk takes some tens of milliseconds. */
const chunkSize = 500
const intervalMs = 2_000
/** Another node takes over after this time without a chunk. */
const leaseSeconds = 15
/** The file is kept for the download of rejected lines. */
const fileHours = 24
const finishedImport = 'Terminou de importar pessoas'
const failedImport = 'Parou de importar pessoas'

/** Adds records of a chunk to the current hour, that of their `createdAt`. */
const addToHour = (n: number) => sql`jsonb_set(mapping, '{acceptedByHour}', (
  select hours || jsonb_build_object(current, coalesce((hours ->> current)::int, 0) + ${n}::int)
  from (select ${sql.raw(acceptedByHour)} as hours, extract(epoch from date_trunc('hour', now()))::bigint::text as current) stored))`

interface LeasedImport {
  id: number
  author: string
  file: Buffer
  processed: number
  settings: ImportSettings
  /** The addresses that this process has read. After a crash, repeats of earlier rows are already in the list. */
  seen: Set<string>
}

interface ImportRunnerDeps {
  database: Database
  log: Log
  throttle: BackgroundThrottle
  recordAudit: RecordAudit
  /** Reads the settings of a leased import. */
  settingsOf(id: number): Promise<ImportSettings>
  /** Called when spreadsheet rows were queued. */
  onQueued(): void
}

export type ImportRunner = ReturnType<typeof createImportRunner>

export function createImportRunner(deps: ImportRunnerDeps) {
  const { database, log, throttle, recordAudit, settingsOf, onQueued } = deps
  const node = randomUUID()
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  async function lease(): Promise<LeasedImport | undefined> {
    const [row] = await database.query<{ id: string; author: string; file: Buffer; processed: number }>(
      '',
      `update imports set "leasedBy" = $1, "leasedUntil" = now() + interval '${leaseSeconds} seconds' where id = (
        select id from imports where status = 'running' and file is not null and ("leasedUntil" is null or "leasedUntil" < now())
        order by id limit 1 for update skip locked)
      returning id, author, file, processed`,
      [node],
    )
    return row && { ...row, id: Number(row.id), settings: await settingsOf(Number(row.id)), seen: new Set() }
  }

  /** Stores a chunk. False if the import was cancelled, or another node has it. */
  function storeChunk({ id, settings, seen }: LeasedImport, rows: StagedRow[], processed: number): Promise<boolean> {
    const rejected: { line: number; reason: string }[] = []
    const given = rows.flatMap(({ line, cells }) => {
      const row = readImportedRow(settings, cells)
      if ('record' in row) return [{ line, record: row.record }]
      rejected.push({ line, reason: row.problem })
      return []
    })
    const unique = given.filter(({ line, record: { canonicalEmail } }) => {
      if (!seen.has(canonicalEmail)) return seen.add(canonicalEmail)
      rejected.push({ line, reason: texts.repeated })
      return false
    })
    return database.transaction(async (tx) => {
      const { rows: owned } = await tx.execute(sql`
        select 1 from imports where id = ${id} and status = 'running' and "leasedBy" = ${node} and processed = ${processed} for update`)
      if (owned.length === 0) return false
      await lockCampaign(tx, settings.campanha)
      const stored = await insertImported(
        tx,
        settings.tipo,
        unique.map(({ record }) => record),
      )
      for (const { line, record } of unique) if (!stored.has(record.id)) rejected.push({ line, reason: texts.already })
      await storeRejections(tx, id, rejected)
      await tx.execute(sql`
        update imports set processed = processed + ${rows.length}, accepted = accepted + ${stored.size},
          rejected = rejected + ${rejected.length}, mapping = ${addToHour(stored.size)}, "updatedAt" = now(),
          "leasedUntil" = now() + interval '${sql.raw(String(leaseSeconds))} seconds'
        where id = ${id}`)
      return true
    })
  }

  /** Without a reason, the import is done. */
  async function finish({ id, author, settings }: LeasedImport, reason: string | null = null): Promise<void> {
    await database.transaction(async (tx) => {
      const { rows } = await tx.execute<{ accepted: number; rejected: number }>(sql`
        update imports set status = ${reason ? 'failed' : 'done'}, reason = ${reason}, "updatedAt" = now(), "leasedBy" = null, "leasedUntil" = null
        where id = ${id} and status = 'running' and "leasedBy" = ${node} returning accepted, rejected`)
      const [numbers] = rows
      if (!numbers) return
      const subject = `${settings.tipo}, importação ${id}, ${numbers.accepted} aceitas, ${numbers.rejected} rejeitadas`
      // The audit log only uses the name.
      await recordAudit(
        { administrator: { username: author }, action: reason ? failedImport : finishedImport, subject },
        tx,
      )
    })
  }

  async function run(leased: LeasedImport): Promise<void> {
    let { processed } = leased
    let position = 0
    let chunk: StagedRow[] = []
    async function flush(): Promise<boolean> {
      const rows = chunk
      chunk = []
      if (rows.length === 0) return true
      const isStored = await throttle.run(
        async () => !stopping.signal.aborted && (await storeChunk(leased, rows, processed)),
        stopping.signal,
      )
      processed += rows.length
      onQueued()
      return isStored
    }
    for await (const row of readStagedRows(leased.file)) {
      position += 1
      if (position <= leased.processed) continue
      chunk.push(row)
      if (chunk.length === chunkSize && !(await flush())) return
    }
    if (await flush()) await finish(leased)
  }

  async function runDue(): Promise<void> {
    await deleteOldFiles()
    for (let leased = await lease(); leased && !stopping.signal.aborted; leased = await lease()) {
      const { id } = leased
      try {
        await run(leased)
      } catch (error) {
        log.warn({ err: error }, 'import of people stopped')
        // After an outage the next interval continues.
        if (isTransient(error)) {
          await release(id)
          return
        }
        await finish(leased, error instanceof AppError ? error.message : texts.failed)
      }
    }
  }

  const release = (id: number) =>
    database.query('', `update imports set "leasedUntil" = null where id = $1 and "leasedBy" = $2`, [id, node])

  const deleteOldFiles = () =>
    database.query(
      '',
      `with abandoned as (
        delete from imports where status = 'staged' and "createdAt" < now() - interval '${fileHours} hours')
      update imports set file = null where file is not null and status in ('done', 'failed', 'cancelled')
        and "updatedAt" < now() - interval '${fileHours} hours'`,
      [],
    )

  function wake(): void {
    if (stopping.signal.aborted) return
    running ??= runDue()
      .catch((error) => log.warn({ err: error }, 'imports of people are not running'))
      .finally(() => {
        running = undefined
      })
  }

  return {
    /** Looks for a started import now instead of at the next interval. */
    wake,
    start(): void {
      timer = setInterval(wake, intervalMs).unref()
    },
    async stop(): Promise<void> {
      stopping.abort()
      clearInterval(timer)
      await Promise.race([running, delay(5_000)])
      // Another node continues at once.
      await database
        .query('', `update imports set "leasedUntil" = null where "leasedBy" = $1 and status = 'running'`, [node])
        .catch(() => {})
    },
  }
}

/** Until the end of the transaction, the campaign keeps its address. */
async function lockCampaign(tx: Orm, slug: string | null): Promise<void> {
  if (slug === null) return
  const { rows } = await tx.execute(sql`select 1 from campaigns where slug = ${slug} for key share`)
  if (rows.length === 0) throw new AppError('conflict', texts.campaignGone)
}

async function storeRejections(tx: Orm, id: number, rejected: { line: number; reason: string }[]): Promise<void> {
  if (rejected.length === 0) return
  await tx.execute(sql`
    insert into import_rejections ("importId", line, reason)
    select ${id}, line, reason from jsonb_to_recordset(${JSON.stringify(rejected)}::jsonb) as given(line int, reason text)`)
}

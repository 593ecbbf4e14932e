// Collects the status of the system. A part that cannot be read is null and does not affect the others.
import { statfs } from 'node:fs/promises'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { SystemStatus } from '#contract/admin/system.ts'
import type { Config } from '#server/core/config.ts'
import type { Log } from '#server/core/log.ts'
import { findSampleSettings } from '#server/core/sample-settings.ts'
import type { Database } from '#server/db/database.ts'
import { migrationsFolder } from '#server/db/migrate.ts'
import type { Deps } from '#server/deps.ts'
import { monitorProcess, type ProcessMonitor } from '#server/features/system/process-monitor.ts'

type SystemDeps = Pick<Deps, 'config' | 'site' | 'log' | 'database' | 'deliveries' | 'spreadsheet'>

export function createSystem({ config, site, log, database, deliveries, spreadsheet }: SystemDeps) {
  const node: ProcessMonitor = monitorProcess()
  const expectedHashes = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash)

  async function readDeliveries(): Promise<NonNullable<SystemStatus['deliveries']>> {
    const { emailsAway: outage, heldEmails: held, ...summary } = await deliveries.summary()
    return {
      here: config.deliveries,
      ...summary,
      emailsAway: outage && { ...outage, at: outage.at.toISOString() },
      heldEmails: held && { ...held, until: held.until.toISOString(), perHour: config.firstEmailsPerHour },
    }
  }

  async function readSpreadsheet(): Promise<NonNullable<SystemStatus['spreadsheet']>> {
    const { lastSuccess, lastFailure, ...state } = await spreadsheet.state()
    return {
      ...state,
      lastSuccess: lastSuccess?.toISOString() ?? null,
      lastFailure: lastFailure && { ...lastFailure, at: lastFailure.at.toISOString() },
    }
  }

  return {
    async status(): Promise<Omit<SystemStatus, 'success'>> {
      // Sequential: the embedded database runs one query at a time, and other queries would distort its response time.
      return {
        at: new Date().toISOString(),
        database: await orNull(readDatabase(database, config), log),
        migrations: await orNull(readMigrations(database, expectedHashes), log),
        disk: await orNull(readDisk(config.dataDir), log),
        deliveries: await orNull(readDeliveries(), log),
        email: config.smtpUrl ? 'smtp' : 'local',
        leaderForm: config.dataKey ? 'open' : 'closed',
        sampleSettings: findSampleSettings(await site.current(), config),
        spreadsheet: await orNull(readSpreadsheet(), log),
        failures: log.recentFailures().map(({ lastAt, route, ...failure }) => ({
          ...{ ...failure, route: route ?? null, lastAt: lastAt.toISOString() },
        })),
        retention: config.retention,
        node: node.read(),
      }
    },
    stop: node.stop,
  }
}

async function orNull<T>(reading: Promise<T>, log: Log): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    log.warn({ err: error }, 'status not read')
    return null
  }
}

async function readDatabase({ query }: Database, { databaseUrl }: Config): Promise<SystemStatus['database']> {
  const startedAt = performance.now()
  await query('answer-time', 'select 1', [])
  const answerMs = Math.round((performance.now() - startedAt) * 10) / 10
  const [row] = await query<{ version: string; sizeBytes: string }>(
    'database-status',
    `select current_setting('server_version') as version, pg_database_size(current_database()) as "sizeBytes"`,
    [],
  )
  const { version = '', sizeBytes } = row ?? {}
  return { engine: databaseUrl ? 'postgres' : 'embedded', version, answerMs, sizeBytes: Number(sizeBytes) }
}

async function readMigrations({ query }: Database, expectedHashes: string[]): Promise<SystemStatus['migrations']> {
  const rows = await query<{ hash: string }>('migrations', 'select hash from drizzle.__drizzle_migrations', [])
  const applied = new Set(rows.map(({ hash }) => hash))
  return {
    applied: applied.size,
    pending: expectedHashes.filter((hash) => !applied.has(hash)).length,
    unknown: [...applied].filter((hash) => !expectedHashes.includes(hash)).length,
  }
}

async function readDisk(folder: string): Promise<SystemStatus['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch (error) {
    // A node with an external database and external deliveries has no data folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

// Collects the dashboard. Each part is cached and fails alone, so that the reply is fast and never all or nothing.
import { statfs } from 'node:fs/promises'
import type { Dashboard } from '#contract/admin/dashboard.ts'
import type { AdminRole } from '#contract/admin/roles.ts'
import { findSampleSettings } from '#server/core/sample-settings.ts'
import { createSwrCache } from '#server/core/swr-cache.ts'
import type { Deps } from '#server/deps.ts'
import {
  campaignFigures,
  conversationFigures,
  unansweredFigures,
  volunteerFigures,
} from '#server/features/dashboard/figures.ts'
import { selectTodos } from '#server/features/dashboard/todos.ts'

/** In refresh periods: parts are read again after one of these, and are never older than the last. */
const often = 5
const seldom = 30
const maxAge = 60
/** Several parts may be slow at once. They are waited for together, so the reply is not slower than this. */
const maxWaitMs = 50

type DashboardDeps = Pick<Deps, 'config' | 'site' | 'log' | 'database' | 'deliveries' | 'spreadsheet'>

export function createDashboard(deps: DashboardDeps, { refreshMs }: { refreshMs: number }) {
  const { config, site, log, database, deliveries, spreadsheet } = deps
  const onFailure = (error: unknown) => log.warn({ err: error }, 'dashboard not refreshed')

  /** Null if the part cannot be read. */
  function part<T>(read: () => Promise<T>, period = often): () => Promise<T | null> {
    const cache = createSwrCache(read, { periodMs: period * refreshMs, maxWaitMs, onFailure })
    return async () => {
      try {
        await cache.fresh(maxAge * refreshMs)
        return await cache.get()
      } catch (error) {
        onFailure(error)
        return null
      }
    }
  }

  const parts = {
    campaigns: part(() => campaignFigures(database)),
    volunteers: part(() => volunteerFigures(database), seldom),
    unanswered: part(() => unansweredFigures(database), seldom),
    conversations: part(() => conversationFigures(database)),
    deliveries: part(() => deliveries.summary()),
    spreadsheet: part(() => spreadsheet.state()),
    disk: part(() => freeBytesOf(config.dataDir), seldom),
    sampleSettings: part(async () => findSampleSettings(await site.current(), config).map(({ key }) => key)),
  }

  return {
    async read(role: AdminRole): Promise<Omit<Dashboard, 'success'>> {
      // Nothing else is read for `conteudo`.
      const isCoordinator = role === 'coordenacao'
      const allowed = <T>(read: () => Promise<T | null>) => (isCoordinator ? read() : undefined)
      const [campaigns, volunteers, unanswered, conversations, queue, sheet, disk, samples] = await Promise.all([
        parts.campaigns(),
        allowed(parts.volunteers),
        allowed(parts.unanswered),
        allowed(parts.conversations),
        allowed(parts.deliveries),
        allowed(parts.spreadsheet),
        allowed(parts.disk),
        allowed(parts.sampleSettings),
      ])
      const now = new Date()
      return {
        at: now.toISOString(),
        signatures: campaigns?.signatures ?? null,
        volunteers,
        unanswered,
        conversations,
        todos: selectTodos(
          {
            now,
            campaigns: campaigns?.scheduled ?? null,
            unanswered: unanswered ?? null,
            deliveries: queue ?? null,
            spreadsheet: sheet ?? null,
            freeBytes: disk?.freeBytes ?? null,
            hasSmtp: Boolean(config.smtpUrl),
            leaderFormOpen: Boolean(config.dataKey),
            sampleSettings: samples ?? [],
          },
          role,
        ),
        todosComplete: ![campaigns, unanswered, queue, sheet, disk, samples].includes(null),
      }
    },
  }
}

async function freeBytesOf(folder: string): Promise<{ freeBytes: number | null }> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize }
  } catch (error) {
    // A node with an external database and external deliveries has no data folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { freeBytes: null }
    throw error
  }
}

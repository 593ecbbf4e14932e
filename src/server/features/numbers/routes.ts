import {
  listCityNumbers,
  listNumbers,
  listOriginDays,
  listOriginNumbers,
  readNumbers,
} from '#contract/admin/numbers.ts'
import type { Deps } from '#server/deps.ts'
import { createBreakdown } from '#server/features/numbers/breakdown.ts'
import { createNumbers } from '#server/features/numbers/numbers.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'

export function registerNumbers(app: App, { database, log, throttle }: Deps, { pauseMs }: { pauseMs: number }) {
  const breakdown = createBreakdown({ database, log, throttle, minPauseMs: pauseMs })
  const numbers = createNumbers({ database, breakdown, log })
  mountForAdministrators(app, listNumbers, async () => ({ success: true, campaigns: await numbers.all() }))

  mountForAdministrators(app, readNumbers, async (_, { params }) => ({
    success: true,
    ...(await numbers.of(params.slug)),
  }))

  mountForAdministrators(app, listCityNumbers, async (_, { params, query }) => ({
    success: true,
    ...(await numbers.cities(params.slug, query)),
  }))

  mountForAdministrators(app, listOriginNumbers, async (_, { query }) => ({
    success: true,
    ...(await numbers.origins(query)),
  }))

  mountForAdministrators(app, listOriginDays, async (_, { query }) => ({
    success: true,
    ...(await numbers.originDays(query)),
  }))
  return { breakdown }
}

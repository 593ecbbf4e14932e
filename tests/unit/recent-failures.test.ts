import { expect, test } from 'vitest'
import { createLog } from '#server/core/log.ts'

const quiet = { write: () => true }

test('warnings and errors are kept, the latest first, and equal ones are counted', () => {
  const log = createLog('warn', quiet)
  log.info('all is well')
  log.warn({ err: new Error('away') }, 'counts not refreshed')
  log.error({ err: Object.assign(new TypeError('odd'), { code: 'E1' }), route: '/api/x' }, 'unexpected failure')
  log.warn({ err: new Error('still away') }, 'counts not refreshed')

  expect(log.recentFailures()).toMatchObject([
    { message: 'counts not refreshed', error: 'Error', times: 2, route: undefined },
    { message: 'unexpected failure', error: 'TypeError E1', times: 1, route: '/api/x' },
  ])
  expect(JSON.stringify(log.recentFailures())).not.toContain('away')
})

test('a message without an object is not kept: it comes from a library and may contain an address', () => {
  const log = createLog('warn', quiet)
  log.warn('Reply was already sent to "/admin?busca=fulano@example.org"')
  expect(log.recentFailures()).toEqual([])
})

test('only the last twenty different failures are kept', () => {
  const log = createLog('warn', quiet)
  for (let n = 0; n < 50; n++) log.warn({}, `failure ${n}`)
  const kept = log.recentFailures()
  expect(kept).toHaveLength(20)
  expect(kept[0]?.message).toBe('failure 49')
})

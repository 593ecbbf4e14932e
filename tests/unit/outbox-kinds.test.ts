import { expect, test } from 'vitest'
import type { Mailer } from '#server/adapters/mail.ts'
import { createBackgroundThrottle } from '#server/core/background-throttle.ts'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import { createMailer } from '#server/outbox/email/email-handler.ts'
import { checkKinds, createHandlers } from '#server/outbox/handlers.ts'
import { createSheetSync } from '#server/outbox/sheet/sync-sheet.ts'
import { defaultSite } from '#tests/helpers/default-site.ts'

/** The handlers of a server. None of them uses the database before its first delivery. */
function theHandlers(mailer?: Mailer) {
  const config = readConfig({})
  const parts = { database: {} as Database, throttle: createBackgroundThrottle(), log: createLog('silent') }
  const spreadsheet = createSheetSync({ ...parts, settings: config })
  return createHandlers({
    ...parts,
    config,
    site: { current: async () => defaultSite },
    spreadsheet,
    mailer: mailer ?? createMailer(config),
  })
}

test('every outbox kind has exactly one handler', () => {
  expect(theHandlers().map(({ name }) => name)).toEqual([
    'email',
    'novidades',
    'meus-dados',
    'planilha',
    'planilhas-antigas',
  ])
})

test('a kind without a handler is reported', () => {
  expect(() => checkKinds(theHandlers().slice(0, -1))).toThrow(
    'Outbox kind "planilha-remover-antiga" must have exactly one handler, but has 0',
  )
})

test('queued e-mails that no handler splits are reported', () => {
  expect(() => checkKinds(theHandlers().map(({ kinds }) => ({ kinds })))).toThrow('Outbox kind "emails"')
})

test('a kind with two handlers is reported', () => {
  expect(() => checkKinds([...theHandlers(), { kinds: ['email'] }])).toThrow(
    '"email" must have exactly one handler, but has 2',
  )
})

test('the mailer stays open until all handlers that use it have ended', () => {
  let closed = 0
  const close = () => {
    closed += 1
  }
  const users = theHandlers({ send: async () => {}, close }).filter(({ name }) => ['email', 'novidades'].includes(name))
  expect(users).toHaveLength(2)
  // The worker stops, starts and stops again.
  const states = [...users, ...users].map(({ abort }) => {
    abort?.()
    return closed
  })
  expect(states).toEqual([0, 1, 1, 2])
})

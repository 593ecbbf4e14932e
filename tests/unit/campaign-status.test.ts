import { expect, test } from 'vitest'
import { canChangeStatus } from '#contract/admin/campaign-status.ts'
import { scheduleCampaign } from '#contract/admin/campaigns.ts'
import { campaignStatuses } from '#contract/campaigns.ts'
import { minuteOf, timeOfMinute } from '#server/core/brazil-time.ts'

test('a draft can only be published, and no campaign becomes a draft again', () => {
  const allowed = campaignStatuses.flatMap((from) =>
    campaignStatuses.filter((to) => canChangeStatus(from, to)).map((to) => `${from} → ${to}`),
  )
  expect(allowed).toEqual([
    'draft → live',
    'live → closed',
    'live → won',
    'closed → live',
    'closed → won',
    'won → live',
    'won → closed',
  ])
})

test('a minute is in Brasília time, also where the clock was advanced in summer', () => {
  expect(timeOfMinute('2026-11-20T09:00').toISOString()).toBe('2026-11-20T12:00:00.000Z')
  expect(timeOfMinute('2018-12-20T09:00').toISOString()).toBe('2018-12-20T11:00:00.000Z')
  expect(minuteOf(new Date('2026-11-21T02:59:59Z'))).toBe('2026-11-20T23:59')
})

test.each(['2026-02-30T10:00', '2026-11-20', '2026-11-20T25:00', 'amanhã', 7, {}])('%j is no minute', (publishAt) => {
  const parsed = scheduleCampaign.body?.safeParse({ publishAt, closeAt: null, antes: {} })
  expect(parsed?.error?.issues[0]?.message).toBe('Informe dia e hora. Exemplo: 2026-11-20T09:00')
})

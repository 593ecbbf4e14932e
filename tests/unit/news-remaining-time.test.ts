// The remaining time of a sending, as its panel shows it.
import { expect, test } from 'vitest'
import type { SendProgress } from '#contract/admin/news.ts'
import { remainingTime } from '#web/admin/news/remaining-time.ts'

const shown = (changes: Partial<SendProgress>) =>
  remainingTime({ status: 'sending', segundosRestantes: 0, adiados: 0, ...changes } as SendProgress)

const rest = 'O resto sai amanhã, a partir das 8h.'

test.each<[string, Partial<SendProgress>, string]>([
  ['seconds', { segundosRestantes: 20 }, 'Falta menos de um minuto.'],
  ['a minute', { segundosRestantes: 80 }, 'Falta cerca de um minuto.'],
  ['hours', { segundosRestantes: 7_200 }, 'Faltam cerca de 2 horas.'],
  ['the rest of today and of tomorrow', { segundosRestantes: 80, adiados: 5 }, `Falta cerca de um minuto. ${rest}`],
  ['only tomorrow', { segundosRestantes: 0, adiados: 5 }, rest],
  ['too many for tomorrow to be counted', { segundosRestantes: null, adiados: 100_000 }, rest],
  ['nothing while it is paused', { status: 'paused', segundosRestantes: null, adiados: 5 }, ''],
])('%s', (_, changes, expected) => {
  expect(shown(changes)).toBe(expected)
})

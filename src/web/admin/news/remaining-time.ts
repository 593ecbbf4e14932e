import type { SendProgress } from '#contract/admin/news.ts'
import { formatDuration } from '#web/admin/ui/format-number.ts'

/** How long the sending takes, and when those get the e-mail who have reached their daily limit. */
export function remainingTime({ status, segundosRestantes, adiados }: SendProgress): string {
  if (status !== 'sending') return ''
  if (adiados === 0) return durationText(segundosRestantes)
  const rest = 'O resto sai amanhã, a partir das 8h.'
  return segundosRestantes ? `${durationText(segundosRestantes)} ${rest}` : rest
}

function durationText(seconds: number | null): string {
  if (seconds === null) return ''
  if (seconds < 60) return 'Falta menos de um minuto.'
  if (seconds < 90) return 'Falta cerca de um minuto.'
  return `Faltam cerca de ${formatDuration(seconds)}.`
}

// Amounts as people in Brazil read them.
const whole = new Intl.NumberFormat('pt-BR')
const twoDigits = new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 2 })
const oneDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

export const inWords = (amount: number) => whole.format(amount)
export const withDecimal = (amount: number) => oneDecimal.format(amount)
/** A rate is often far below one: 0,03 says something, 0 does not. */
export const inRate = (amount: number) => (amount < 1 ? twoDigits : oneDecimal).format(amount)

export function share(part: number, all: number): string {
  return all === 0 ? '–' : `${oneDecimal.format((part / all) * 100)}%`
}

/** Intl calls zero "one" in Portuguese; people do not. */
export function counted(amount: number, one: string, many: string): string {
  return `${inWords(amount)} ${amount === 1 ? one : many}`
}

export function bytesInWords(bytes: number): string {
  const step = bytes > 0 ? Math.min(4, Math.floor(Math.log(bytes) / Math.log(1024))) : 0
  return `${oneDecimal.format(bytes / 1024 ** step)} ${['bytes', 'KB', 'MB', 'GB', 'TB'][step]}`
}

/** How long, in the largest unit that says something. */
export function durationInWords(seconds: number): string {
  if (seconds < 90) return counted(Math.round(seconds), 'segundo', 'segundos')
  if (seconds < 90 * 60) return counted(Math.round(seconds / 60), 'minuto', 'minutos')
  if (seconds < 36 * 3600) return counted(Math.round(seconds / 3600), 'hora', 'horas')
  return counted(Math.round(seconds / 86_400), 'dia', 'dias')
}

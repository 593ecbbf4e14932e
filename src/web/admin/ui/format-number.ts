const whole = new Intl.NumberFormat('pt-BR')
const twoDigits = new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 2 })
const oneDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

export const formatNumber = (amount: number) => whole.format(amount)
export const formatDecimal = (amount: number) => oneDecimal.format(amount)
/** Rates are often far below one: 0,03 is informative, 0 is not. */
export const formatRate = (amount: number) => (amount < 1 ? twoDigits : oneDecimal).format(amount)

export function formatPercent(part: number, all: number): string {
  return all === 0 ? '–' : `${oneDecimal.format((part / all) * 100)}%`
}

/** Intl treats zero as singular in Portuguese; people use the plural. */
export function pluralize(amount: number, one: string, many: string): string {
  return `${formatNumber(amount)} ${amount === 1 ? one : many}`
}

export function formatBytes(bytes: number): string {
  const exponent = bytes > 0 ? Math.min(4, Math.floor(Math.log(bytes) / Math.log(1024))) : 0
  return `${oneDecimal.format(bytes / 1024 ** exponent)} ${['bytes', 'KB', 'MB', 'GB', 'TB'][exponent]}`
}

/** Rounds to the largest unit that is still precise enough. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return pluralize(Math.round(seconds), 'segundo', 'segundos')
  if (seconds < 90 * 60) return pluralize(Math.round(seconds / 60), 'minuto', 'minutos')
  if (seconds < 36 * 3600) return pluralize(Math.round(seconds / 3600), 'hora', 'horas')
  return pluralize(Math.round(seconds / 86_400), 'dia', 'dias')
}

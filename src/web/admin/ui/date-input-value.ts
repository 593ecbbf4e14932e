/** The value for a date input. Empty if the text, from a URL, is no date: browsers log a warning about such a value. */
export function dateInputValue(text: string): string {
  const [, year, month, day] = /^(\d{4,6})-(\d\d)-(\d\d)$/.exec(text) ?? []
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? text : ''
}

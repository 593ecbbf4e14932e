/** `2026-11-20T09:00` becomes "20/11/2026 às 09:00". The minute is in Brasília time already. */
export function formatMinute(minute: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)$/.exec(minute) ?? []
  return year ? `${day}/${month}/${year} às ${time}` : minute
}

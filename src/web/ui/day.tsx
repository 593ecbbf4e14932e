// Only for parts that the server renders: `Intl` takes a cheap phone a tenth of a second.

/** The day of a time in Brazil: "18 de novembro de 2026". */
const formatDay = (time: string) =>
  new Date(time).toLocaleDateString('pt-BR', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' })

export const Day = ({ of: time }: { of: string }) => <time dateTime={time}>{formatDay(time)}</time>

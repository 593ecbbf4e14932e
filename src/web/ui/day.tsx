// The browser would spend time on `Intl`, so this is only for parts that the server renders.
const format = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' })

/** The day of a time in Brazil: "18 de novembro de 2026". */
export const formatDay = (time: string) => format.format(new Date(time))

export const Day = ({ of: time }: { of: string }) => <time dateTime={time}>{formatDay(time)}</time>

// Dates and numbers as people in Brazil read them, wherever the browser is.
const dateAndTime = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'America/Sao_Paulo',
})

export const momentInWords = (iso: string) => dateAndTime.format(new Date(iso))

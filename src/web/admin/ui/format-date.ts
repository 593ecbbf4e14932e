const dateAndTime = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'America/Sao_Paulo',
})

export const formatDateTime = (iso: string) => dateAndTime.format(new Date(iso))

const time = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone: 'America/Sao_Paulo' })

export const formatTime = (iso: string) => time.format(new Date(iso))

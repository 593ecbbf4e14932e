// The text, icon and link of each to-do line.
import type { Todo, TodoKind } from '#contract/admin/dashboard.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { formatTime } from '#web/admin/ui/format-date.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'
import {
  AlertIcon,
  CalendarIcon,
  CampaignIcon,
  EmailIcon,
  type IconComponent,
  InfluencerIcon,
  LeaderIcon,
  SettingsIcon,
} from '#web/admin/ui/icons.tsx'

interface TodoLine {
  text: string
  href: string
  icon: IconComponent
}

const peopleWaiting = (tipo: string) => `${fillPath(adminPaths.peopleOfKind, { tipo })}?status=novo`

const lines: Record<TodoKind, (todo: Todo) => TodoLine> = {
  disk: () => system('Falta pouco espaço no disco do servidor', AlertIcon),
  'emails-failing': () => system('Os e-mails não estão saindo', EmailIcon),
  'emails-held': ({ n = 0 }) =>
    system(
      `${pluralize(n, 'e-mail de confirmação espera', 'e-mails de confirmação esperam')}: gente demais em uma hora`,
      EmailIcon,
    ),
  'spreadsheet-failing': () => system('A planilha não está sendo gravada', AlertIcon),
  'leader-form-closed': () => system('O formulário de líderes está fechado: falta uma chave', AlertIcon),
  'dead-deliveries': ({ n = 0 }) => system(pluralize(n, 'entrega parada', 'entregas paradas'), AlertIcon),
  'late-deliveries': () => system('As entregas estão atrasadas', AlertIcon),
  'campaign-closes': (todo) => ({
    text: `“${todo.campaign?.titulo ?? ''}” encerra ${formatMoment(todo.at ?? '')}`,
    href: campaignPath(todo),
    icon: CalendarIcon,
  }),
  'leaders-waiting': ({ n = 0 }) => ({
    text: pluralize(n, 'líder sem resposta', 'líderes sem resposta'),
    href: peopleWaiting('lideres'),
    icon: LeaderIcon,
  }),
  'influencers-waiting': ({ n = 0 }) => ({
    text: pluralize(n, 'influenciador sem resposta', 'influenciadores sem resposta'),
    href: peopleWaiting('influenciadores'),
    icon: InfluencerIcon,
  }),
  'no-smtp': () => system('Ninguém recebe e-mails: falta configurar o envio', EmailIcon),
  'sample-settings': ({ n = 0 }) => ({
    text: pluralize(n, 'dado de exemplo do site para trocar', 'dados de exemplo do site para trocar'),
    href: adminPaths.site,
    icon: SettingsIcon,
  }),
  'sample-environment': ({ n = 0 }) =>
    system(
      pluralize(n, 'dado de exemplo do servidor para trocar', 'dados de exemplo do servidor para trocar'),
      SettingsIcon,
    ),
  drafts: (todo) => ({
    text: todo.campaign
      ? `O rascunho “${todo.campaign.titulo}” espera para ir ao ar`
      : pluralize(todo.n ?? 0, 'rascunho espera para ir ao ar', 'rascunhos esperam para ir ao ar'),
    href: campaignPath(todo),
    icon: CampaignIcon,
  }),
}

export const describeTodo = (todo: Todo): TodoLine => lines[todo.kind](todo)

const system = (text: string, icon: IconComponent): TodoLine => ({ text, href: adminPaths.system, icon })

const campaignPath = ({ campaign }: Todo) =>
  campaign ? fillPath(adminPaths.campaign, { id: String(campaign.id) }) : adminPaths.campaigns

const dayFormat = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone: 'America/Sao_Paulo' })

/** `hoje às 18:00` or `amanhã às 18:00`. */
function formatMoment(at: string): string {
  const isToday = dayFormat.format(new Date(at)) === dayFormat.format(new Date())
  return `${isToday ? 'hoje' : 'amanhã'} às ${formatTime(at)}`
}

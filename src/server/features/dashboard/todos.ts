// Selects what needs the attention of an organiser, most urgent first.
import { maxTodos, type Todo, todoKinds } from '#contract/admin/dashboard.ts'
import type { AdminRole } from '#contract/admin/roles.ts'
import { dayOf } from '#server/core/brazil-time.ts'
import type { ScheduledCampaign } from '#server/features/dashboard/figures.ts'

const lowDiskBytes = 1024 ** 3
const lateSeconds = 15 * 60
const dayMs = 24 * 60 * 60_000

/** A part that could not be read is null and makes no line. */
export interface TodoSources {
  now: Date
  campaigns: ScheduledCampaign[] | null
  unanswered: { influencers: number; leaders: number } | null
  deliveries: {
    parked: number
    oldestSeconds: number
    emailsAway: unknown
    heldEmails: { waiting: number } | null
  } | null
  spreadsheet: { failing: boolean } | null
  freeBytes: number | null
  hasSmtp: boolean
  leaderFormOpen: boolean
  /** Names of settings with sample values; those of the environment are in capitals. */
  sampleSettings: string[]
}

/** To-do lines for `conteudo`: the others are about people, settings or the server. */
const contentTodos: Todo['kind'][] = ['campaign-closes', 'drafts']

export function selectTodos(sources: TodoSources, role: AdminRole): Todo[] {
  const { deliveries, spreadsheet, unanswered, freeBytes, campaigns } = sources
  const todos: Todo[] = [...closing(sources), ...drafts(campaigns ?? [])]
  const add = (kind: Todo['kind'], n: number | undefined) => {
    if (n) todos.push({ kind, n })
  }
  const addIf = (kind: Todo['kind'], holds: boolean | undefined) => {
    if (holds) todos.push({ kind })
  }
  addIf('disk', freeBytes !== null && freeBytes < lowDiskBytes)
  addIf('emails-failing', Boolean(deliveries?.emailsAway))
  add('emails-held', deliveries?.heldEmails?.waiting)
  addIf('spreadsheet-failing', spreadsheet?.failing)
  addIf('leader-form-closed', !sources.leaderFormOpen)
  add('dead-deliveries', deliveries?.parked)
  addIf('late-deliveries', deliveries !== null && deliveries.oldestSeconds > lateSeconds && !deliveries.emailsAway)
  add('leaders-waiting', unanswered?.leaders)
  add('influencers-waiting', unanswered?.influencers)
  addIf('no-smtp', !sources.hasSmtp)
  add('sample-settings', sources.sampleSettings.filter((key) => !isEnvironment(key)).length)
  add('sample-environment', sources.sampleSettings.filter(isEnvironment).length)
  // The sort is stable: of two campaigns, the one that closes first is first.
  const shown = role === 'coordenacao' ? todos : todos.filter(({ kind }) => contentTodos.includes(kind))
  return shown.sort((one, other) => todoKinds.indexOf(one.kind) - todoKinds.indexOf(other.kind)).slice(0, maxTodos)
}

const isEnvironment = (key: string) => /^[A-Z_]+$/.test(key)

/** Campaigns that close today or tomorrow. */
function closing({ campaigns, now }: TodoSources): Todo[] {
  const lastDay = dayOf(new Date(now.getTime() + dayMs))
  return (campaigns ?? [])
    .flatMap(({ id, titulo, status, isActive, closeAt }) =>
      status === 'live' && isActive && closeAt ? [{ id, titulo, closeAt }] : [],
    )
    .filter(({ closeAt }) => closeAt > now && dayOf(closeAt) <= lastDay)
    .sort((one, other) => one.closeAt.getTime() - other.closeAt.getTime())
    .map(({ id, titulo, closeAt }) => ({
      kind: 'campaign-closes',
      campaign: { id, titulo },
      at: closeAt.toISOString(),
    }))
}

/** One line for all drafts without a date. With one draft, the line links to it. */
function drafts(campaigns: ScheduledCampaign[]): Todo[] {
  const waiting = campaigns.filter(({ status, publishAt }) => status === 'draft' && publishAt === null)
  const [only] = waiting
  if (!only) return []
  return [
    {
      kind: 'drafts',
      n: waiting.length,
      ...(waiting.length === 1 && { campaign: { id: only.id, titulo: only.titulo } }),
    },
  ]
}

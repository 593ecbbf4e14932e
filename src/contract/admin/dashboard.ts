// The dashboard: figures of today and of the week, and what needs attention. A part that could not be read is null.
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

/** The days of the charts: today and the six days before it. */
export const chartDays = 7
export const maxTodos = 5

const campaignSchema = z.object({
  slug: z.string(),
  titulo: z.string(),
  isActive: z.boolean(),
  /** All signatures of the campaign, without `baseCount`, and those of them that are confirmed. */
  signatures: z.number(),
  confirmed: z.number(),
  /** Days in Brasília time, oldest first; the last one is today. */
  byDay: z.array(z.object({ day: z.string(), signatures: z.number() })),
})

const signaturesSchema = z.object({
  today: z.number(),
  /** Today and the six days before it. */
  week: z.number(),
  /** Signatures of an earlier day up to the end of the hour `untilHour`, the current one. */
  yesterdayByNow: z.number(),
  weekAgoByNow: z.number(),
  untilHour: z.number(),
  total: z.number(),
  confirmed: z.number(),
  /** The most signed of today first. Without drafts. */
  campaigns: z.array(campaignSchema),
})

/** Most urgent first. */
export const todoKinds = [
  'disk',
  'emails-failing',
  'emails-held',
  'spreadsheet-failing',
  'leader-form-closed',
  'dead-deliveries',
  'late-deliveries',
  'campaign-closes',
  'leaders-waiting',
  'influencers-waiting',
  'no-smtp',
  'sample-settings',
  'drafts',
  'sample-environment',
] as const
export type TodoKind = (typeof todoKinds)[number]

const todoSchema = z.object({
  kind: z.enum(todoKinds),
  /** How many, where that matters. */
  n: z.optional(z.number()),
  /** The campaign, if there is one. */
  campaign: z.optional(z.object({ id: z.number(), titulo: z.string() })),
  /** When it happens. */
  at: z.optional(z.string()),
})
export type Todo = z.output<typeof todoSchema>

const dashboardSchema = z.object({
  success: z.boolean(),
  at: z.string(),
  signatures: z.nullable(signaturesSchema),
  /** Without imported people. This and the next two are absent for `conteudo`. */
  volunteers: z.optional(z.nullable(z.object({ today: z.number(), week: z.number() }))),
  /** Records with the status `novo`. */
  unanswered: z.optional(z.nullable(z.object({ influencers: z.number(), leaders: z.number() }))),
  conversations: z.optional(z.nullable(z.object({ today: z.number() }))),
  todos: z.array(todoSchema),
  /** Whether everything was read that can make a to-do line. */
  todosComplete: z.boolean(),
})

export type Dashboard = z.output<typeof dashboardSchema>
export type DashboardSignatures = z.output<typeof signaturesSchema>
export type DashboardCampaign = z.output<typeof campaignSchema>

export const readDashboard = endpoint({
  method: 'GET',
  path: '/api/admin/painel',
  access: 'administrator',
  role: 'conteudo',
  reply: dashboardSchema,
})

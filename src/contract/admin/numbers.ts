// The numbers of a campaign: by hour, day, state and city, at what pace it grows, and when it may reach the next milestone.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { pageNumber, pageSize } from '#contract/admin/paging.ts'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { stateCodes } from '#contract/states.ts'

const { numbers: sentences } = adminMessages

const slugParams = z.object({
  slug: z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, messages.campaign.notFound)),
})

/** Signatures of whole hours: the open one is left out, so that a pace is never half of one, and told beside them. */
const paceSchema = z.object({ open: z.number(), hour: z.number(), day: z.number(), week: z.number() })

/** Signatures in the open hour and none in the whole hours before it: zeros would say that nobody signs. */
export const isFirstHour = ({ open, week }: z.output<typeof paceSchema>) => open > 0 && week === 0

const campaignSchema = z.object({
  slug: z.string(),
  titulo: z.string(),
  isActive: z.boolean(),
  baseCount: z.number(),
})

/** What is counted one by one takes a while: it has an age, and may not be there yet. */
const countedSchema = z.object({
  /** When the counting ended. */
  at: z.string(),
  signatures: z.number(),
  confirmed: z.number(),
})

export const numbersSchema = z.object({
  success: z.boolean(),
  /** When the ledger was read. */
  at: z.string(),
  campaign: campaignSchema,
  /** What the public counter shows without its baseCount; hours, days and states each add up to it. */
  signatures: z.number(),
  byState: z.array(z.object({ state: z.enum(stateCodes), signatures: z.number() })),
  /** Days in Brasília's time, from the first signature to today, none left out. */
  byDay: z.array(z.object({ day: z.string(), signatures: z.number() })),
  /** The last 48, the open one among them. */
  byHour: z.array(z.object({ hour: z.string(), signatures: z.number() })),
  /** Before those hours. */
  earlier: z.number(),
  pace: paceSchema,
  milestone: z.object({
    next: z.number(),
    missing: z.number(),
    /** At the pace of the last whole hours, up to 24; nothing when there is no pace, or not within ten years. */
    projected: z.nullable(z.object({ at: z.string(), perHour: z.number(), hours: z.number() })),
  }),
  counted: z.nullable(countedSchema),
})

export type Numbers = z.output<typeof numbersSchema>

export const listNumbers = endpoint({
  method: 'GET',
  path: '/api/admin/numeros',
  access: 'administrator',
  reply: z.object({
    success: z.boolean(),
    campaigns: z.array(z.extend(campaignSchema, { signatures: z.number(), pace: paceSchema })),
  }),
})

export type CampaignNumbers = z.output<typeof listNumbers.reply>['campaigns'][number]

export const readNumbers = endpoint({
  method: 'GET',
  path: '/api/admin/numeros/:slug',
  access: 'administrator',
  params: slugParams,
  reply: numbersSchema,
})

export const citiesPerPage = 25
/** Cities are typed freely: more names than this are a prank, and must not fill the memory. The rest is counted together. */
export const mostCities = 20_000

export const listCityNumbers = endpoint({
  method: 'GET',
  path: '/api/admin/numeros/:slug/cidades',
  access: 'administrator',
  params: slugParams,
  query: z.object({
    busca: z.optional(z.string(sentences.search).check(z.trim(), z.maxLength(120, sentences.search))),
    estado: z.optional(z.enum([...stateCodes, ''], sentences.state)),
    pagina: pageNumber(),
    limite: pageSize({ usual: citiesPerPage, most: mostCities + 1 }),
  }),
  reply: z.object({
    success: z.boolean(),
    counted: z.nullable(countedSchema),
    /** Signatures that the counting has not met yet; below zero when more were taken back since. */
    uncounted: z.number(),
    /** How many cities the filter leaves. */
    total: z.number(),
    cities: z.array(
      z.object({
        city: z.string(),
        /** Nothing for what does not fit the list of cities any more. */
        state: z.nullable(z.enum(stateCodes)),
        signatures: z.number(),
        confirmed: z.number(),
      }),
    ),
  }),
})

export type CityNumbers = z.output<typeof listCityNumbers.reply>['cities'][number]

/** The next of 100, 200, 500, 1,000, 2,000, 5,000… above a count. */
export function nextMilestone(count: number): number {
  for (let step = 100; ; step *= 10) for (const times of [1, 2, 5]) if (step * times > count) return step * times
}

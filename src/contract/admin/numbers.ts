// Signature counts of a campaign: by hour, day, state and city, growth rate and projected next milestone.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { pageNumber, pageSize } from '#contract/admin/paging.ts'
import { day, filter } from '#contract/admin/people.ts'
import { countingModes } from '#contract/campaigns.ts'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { maxOriginLength } from '#contract/origin.ts'
import { stateCodes } from '#contract/states.ts'

const { numbers: texts } = adminMessages

const slugParams = z.object({
  slug: z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, messages.campaign.notFound)),
})

/** Signatures in whole hours. The current hour is incomplete, so it is excluded and reported as `open`. */
const paceSchema = z.object({ open: z.number(), hour: z.number(), day: z.number(), week: z.number() })

/** All signatures are from the current hour. Zeros for the whole hours would suggest that nobody signs. */
export const isFirstHour = ({ open, week }: z.output<typeof paceSchema>) => open > 0 && week === 0

const campaignSchema = z.object({
  slug: z.string(),
  titulo: z.string(),
  isActive: z.boolean(),
  baseCount: z.number(),
  countingMode: z.enum(countingModes),
  /** What the site shows, including `baseCount`. */
  publicCount: z.number(),
})

/** Result of a full count. Counting takes time, so the result can be old or missing. */
const countedSchema = z.object({
  /** When the count ended. */
  at: z.string(),
  signatures: z.number(),
  confirmed: z.number(),
})

const numbersSchema = z.object({
  success: z.boolean(),
  /** When the signature counts were read. */
  at: z.string(),
  campaign: campaignSchema,
  /** All signatures. Hours, days and states each add up to it. */
  signatures: z.number(),
  byState: z.array(z.object({ state: z.enum(stateCodes), signatures: z.number() })),
  /** Days in Brasília time, from the first signature to today, without gaps. */
  byDay: z.array(z.object({ day: z.string(), signatures: z.number() })),
  /** The last 48 hours, including the current one. */
  byHour: z.array(z.object({ hour: z.string(), signatures: z.number() })),
  /** Signatures before those hours. */
  earlier: z.number(),
  pace: paceSchema,
  milestone: z.object({
    next: z.number(),
    missing: z.number(),
    /**
     * From the rate of the last whole hours, up to 24. Null without growth, if it takes more than ten years, or if only
     * confirmed signatures are in the public count.
     */
    projected: z.nullable(z.object({ at: z.string(), perHour: z.number(), hours: z.number() })),
  }),
  counted: z.nullable(countedSchema),
})

export type Numbers = z.output<typeof numbersSchema>

export const listNumbers = endpoint({
  method: 'GET',
  path: '/api/admin/numeros',
  access: 'administrator',
  role: 'conteudo',
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
  role: 'conteudo',
  params: slugParams,
  reply: numbersSchema,
})

export const citiesPerPage = 25
/** City names are free text. More names than this are abuse and must not fill the memory: the rest is one row. */
export const maxCities = 20_000

export const listCityNumbers = endpoint({
  method: 'GET',
  path: '/api/admin/numeros/:slug/cidades',
  access: 'administrator',
  role: 'conteudo',
  params: slugParams,
  query: z.object({
    busca: z.optional(z.string(texts.search).check(z.trim(), z.maxLength(120, texts.search))),
    estado: z.optional(z.enum([...stateCodes, ''], texts.state)),
    pagina: pageNumber(),
    limite: pageSize({ fallback: citiesPerPage, max: maxCities + 1 }),
  }),
  reply: z.object({
    success: z.boolean(),
    counted: z.nullable(countedSchema),
    /** Signatures since the count; negative when more were removed than added. */
    uncounted: z.number(),
    /** Number of cities that match the filter. */
    total: z.number(),
    cities: z.array(
      z.object({
        city: z.string(),
        /** Null for the row with the cities beyond `maxCities`. */
        state: z.nullable(z.enum(stateCodes)),
        signatures: z.number(),
        confirmed: z.number(),
      }),
    ),
  }),
})

export type CityNumbers = z.output<typeof listCityNumbers.reply>['cities'][number]

/** Rows for signatures without an origin, and for all origins beyond the limit. Parentheses cannot be in a label. */
export const directOrigin = '(direto)'
export const otherOrigins = '(outras)'
/** Labels are part of the address, so anybody can invent them. The rarest labels of a campaign are one row. */
export const maxOrigins = 500
export const originsPerPage = 25
export const maxOriginDays = 20_000

const originFilters = {
  campanha: filter(z.string(texts.campaign).check(z.regex(/^[a-z0-9-]{1,100}$/, texts.campaign))),
  /** First and last day, in Brasília time. */
  desde: filter(day(texts.day)),
  ate: filter(day(texts.day)),
  origem: filter(z.string(texts.origin).check(z.regex(/^([\w.-]{1,60}|\((direto|outras)\))$/, texts.origin))),
}

export type OriginFilters = z.output<z.ZodMiniObject<typeof originFilters>>

const originCountSchema = z.object({ at: z.string(), signatures: z.number() })

/** Signatures by origin, of one campaign or of all. `origem` restricts only the days, `busca` only the origins. */
export const listOriginNumbers = endpoint({
  method: 'GET',
  path: '/api/admin/origens',
  access: 'administrator',
  role: 'conteudo',
  query: z.object({
    ...originFilters,
    busca: filter(z.string(texts.origin).check(z.trim(), z.maxLength(maxOriginLength, texts.origin))),
    pagina: pageNumber(),
    limite: pageSize({ fallback: originsPerPage, max: 2 * maxOrigins }),
  }),
  reply: z.object({
    success: z.boolean(),
    counted: z.nullable(originCountSchema),
    /** Signatures since the count; negative when more were removed than added. */
    uncounted: z.number(),
    /** Signatures of the period, of all origins. */
    signatures: z.number(),
    /** Number of origins that match the filter. */
    total: z.number(),
    origins: z.array(z.object({ origin: z.string(), signatures: z.number() })),
    byDay: z.array(z.object({ day: z.string(), signatures: z.number() })),
  }),
})

export type OriginNumbers = z.output<typeof listOriginNumbers.reply>

/** The same signatures by campaign, origin and day, for files. */
export const listOriginDays = endpoint({
  method: 'GET',
  path: '/api/admin/origens/dias',
  access: 'administrator',
  role: 'conteudo',
  query: z.object({
    ...originFilters,
    pagina: pageNumber(),
    limite: pageSize({ fallback: maxOriginDays, max: maxOriginDays }),
  }),
  reply: z.object({
    success: z.boolean(),
    counted: z.nullable(originCountSchema),
    total: z.number(),
    days: z.array(z.object({ day: z.string(), campaign: z.string(), origin: z.string(), signatures: z.number() })),
  }),
})

export type OriginDay = z.output<typeof listOriginDays.reply>['days'][number]

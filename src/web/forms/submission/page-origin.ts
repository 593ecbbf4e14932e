import { normalizeOrigin, originOfQuery } from '#contract/origin.ts'

/** From the address of the page, else the host that embeds it where the browser tells it. Never a referrer. */
export const pageOrigin = () =>
  originOfQuery(new URLSearchParams(location.search)) ??
  normalizeOrigin(/\/\/([^:]+)/.exec(location.ancestorOrigins?.[0] ?? '')?.[1])

import { normalizeOrigin, originOfQuery, originParameter } from '#contract/origin.ts'

/** From the address of the page, else the host that embeds it where the browser tells it. Never a referrer. */
export const pageOrigin = () =>
  originOfQuery(new URLSearchParams(location.search)) ??
  normalizeOrigin(/\/\/([^:]+)/.exec(location.ancestorOrigins?.[0] ?? '')?.[1])

/** Passes the origin to the next page in its address: nothing is stored in the browser. */
export function keepOriginInLinks(): void {
  const origin = pageOrigin()
  if (!origin) return
  addEventListener(
    'click',
    ({ target }) => {
      const link = (target as Element).closest('a')
      const leaves = link?.origin === location.origin && link.pathname !== location.pathname
      if (leaves && !link.search) link.search = `${originParameter}=${origin}`
    },
    true,
  )
}

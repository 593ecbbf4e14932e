// Other campaigns to sign, below a thank-you.
import { useId } from 'react'
import { activeCampaigns, liveCampaigns } from '#web/api/campaigns.ts'
import { useOutboundLinkProps } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'

export function AlsoSignList({ signed }: { signed?: string }) {
  const id = useId()
  const outboundProps = useOutboundLinkProps()
  const others = liveCampaigns(useQuery(activeCampaigns).data, signed)
  if (others.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>Assine também</h3>
      <ul className="share-kit share-rows">
        {others.map(({ slug, path, titulo }) => (
          <li key={slug}>
            <a className="button" href={path} {...outboundProps}>
              {titulo}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

// The newest news of a campaign on its page. Only the server renders it.
import { fillPath } from '#contract/endpoint.ts'
import { newsPaths } from '#contract/news.ts'
import { newsList } from '#web/api/news.ts'
import { useQuery } from '#web/api/store.ts'
import { Day } from '#web/ui/day.tsx'

const shown = 3

export function CampaignNews({ slug }: { slug: string }) {
  const news = useQuery(newsList(slug)).data?.novidades.slice(0, shown) ?? []
  if (news.length === 0) return null
  return (
    <section>
      <h2>Novidades</h2>
      <ul>
        {news.map(({ n, titulo, publicadaEm }) => (
          <li key={n}>
            {/* Elements that need no styles, because the document must stay small. */}
            <p>
              <a href={fillPath(newsPaths.item, { slug, n: String(n) })}>{titulo}</a>
              <br />
              <Day of={publicadaEm} />
            </p>
          </li>
        ))}
      </ul>
      <a href={fillPath(newsPaths.list, { slug })}>Todas as novidades</a>
    </section>
  )
}

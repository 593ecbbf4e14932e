// How a link to the campaign looks in a chat, before anybody has shared it.
import { useQuery } from '@tanstack/react-query'
import { drawShareCard } from '#contract/admin/campaigns.ts'
import { callAdmin } from '#web/admin/api.ts'
import { type CampaignValues, numberIn } from '#web/admin/campaigns/campaign-values.ts'
import { useSettled } from '#web/admin/campaigns/use-settled.ts'
import { site } from '#web/admin/site.ts'

/** Drawing takes the server a third of a second. */
const pauseMs = 1_000

export function ShareCard({ values, signatures }: { values: CampaignValues; signatures: number }) {
  const { titulo, subtitulo, ogTitle, ogDescription, ogImageUrl, themeColor, baseCount } = values
  const count = (numberIn(baseCount) ?? 0) + signatures
  const drawn = useSettled(titulo.trim() && JSON.stringify({ titulo, themeColor, count }), pauseMs)
  const picture = useQuery({
    queryKey: ['cartao', drawn],
    queryFn: () => callAdmin(drawShareCard, { query: JSON.parse(drawn) }),
    enabled: !ogImageUrl && drawn !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
    retry: false,
  })
  const image = ogImageUrl || picture.data?.image
  return (
    <figure className="share-preview">
      <figcaption>Como o link aparece em uma conversa</figcaption>
      <div className="share-bubble">
        {image ? <img src={image} alt="" /> : <div className="share-blank" aria-hidden="true" />}
        <p className="share-title">
          {ogTitle.trim() || titulo.trim() || 'Título'} | {site.movimento}
        </p>
        <p className="share-text">{ogDescription.trim() || subtitulo.trim() || site.lema}</p>
        <p className="faint">{location.host}</p>
      </div>
    </figure>
  )
}

// Preview of a shared message by channel, with the link card of the campaign.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { channelNames, drawShareCard } from '#contract/admin/campaigns.ts'
import { type CampaignStatus, campaignPath } from '#contract/campaigns.ts'
import { shareText, urlFrom } from '#contract/share.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { type CampaignValues, numberIn, shareTextsIn } from '#web/admin/campaigns/campaign-values.ts'
import { channelsWithText, textsOf } from '#web/admin/campaigns/share-texts.tsx'
import { publicUrl, site } from '#web/admin/ui/site.ts'
import { useDebounced } from '#web/admin/ui/use-debounced.ts'

/** The server needs a third of a second to draw the card. */
const debounceMs = 1_000

interface ShareCardProps {
  values: CampaignValues
  signatures: number
  status: CampaignStatus
}

export function ShareCard({ values, signatures, status }: ShareCardProps) {
  const [channel, setChannel] = useState<(typeof channelsWithText)[number]>('whatsapp')
  const { titulo, subtitulo, ogTitle, ogDescription, ogImageUrl, themeColor, baseCount } = values
  const count = (numberIn(baseCount) ?? 0) + signatures
  const cardQuery = useDebounced(titulo.trim() && JSON.stringify({ titulo, themeColor, count }), debounceMs)
  const picture = useQuery({
    queryKey: ['cartao', cardQuery],
    queryFn: () => callAdmin(drawShareCard, { query: JSON.parse(cardQuery) }),
    enabled: !ogImageUrl && cardQuery !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
    retry: false,
  })
  const image = ogImageUrl || picture.data?.image
  return (
    <figure className="share-preview">
      <figcaption>Como a mensagem aparece</figcaption>
      {/* Buttons instead of inputs: an input would belong to the form and its draft. */}
      <fieldset className="status-filters">
        <legend className="hidden">Rede da prévia</legend>
        {channelsWithText.map((each) => (
          <button
            key={each}
            type="button"
            className="button small"
            aria-pressed={each === channel}
            onClick={() => setChannel(each)}
          >
            {channelNames[each]}
          </button>
        ))}
      </fieldset>
      <div className="share-bubble">
        {image ? <img src={image} alt="" /> : <div className="share-blank" aria-hidden="true" />}
        <p className="share-title">
          {ogTitle.trim() || titulo.trim() || 'Título'} | {site.movimento}
        </p>
        <p className="share-text">{ogDescription.trim() || subtitulo.trim() || site.lema}</p>
        <p className="faint">{location.host}</p>
        <p className="share-message">
          {shareText({ ...textsOf(values), status, shareTexts: shareTextsIn(values) }, channel)}
          {'\n'}
          <span className="share-url">
            {urlFrom(`${publicUrl}${campaignPath(values.slug || '...', site.deputado.slug)}`, channel)}
          </span>
        </p>
      </div>
    </figure>
  )
}

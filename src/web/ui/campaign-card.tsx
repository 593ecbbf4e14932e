// Card of a campaign in a list: image or poster, title, count and progress. The whole card is a link.
import type { ListedCampaign } from '#contract/campaigns.ts'
import { goalAbove } from '#contract/goals.ts'
import { formatNumber } from '#web/ui/format-number.ts'
import './progress.css'
import './campaign-card.css'

const endings: Partial<Record<ListedCampaign['status'], string>> = { closed: 'Encerrada', won: 'Vitória' }

interface CampaignCardProps {
  campaign: ListedCampaign
  /** Level of its headline on the page. */
  heading: 'h2' | 'h3'
}

export function CampaignCard({ campaign, heading: Heading }: CampaignCardProps) {
  const { titulo, path, heroImageUrl, heroImageSize, themeColor, count, meta, status } = campaign
  const ending = endings[status]
  const goal = goalAbove(count, meta)
  const { largura = 0, altura } = heroImageSize ?? {}
  return (
    <li className="campaign-card" data-tema={themeColor}>
      {heroImageUrl && (
        <img
          src={heroImageUrl}
          srcSet={
            largura > 640 ? `${heroImageUrl.replace(/webp$/, '640.webp')} 640w, ${heroImageUrl} ${largura}w` : undefined
          }
          sizes="(min-width: 60rem) 24rem, 92vw"
          width={largura || undefined}
          height={altura}
          loading="lazy"
          decoding="async"
          alt=""
        />
      )}
      <Heading className={heroImageUrl ? undefined : 'campaign-poster'}>
        <a href={path}>{titulo}</a>
      </Heading>
      {ending && <p className="sticker">{ending}</p>}
      <p className="campaign-count">
        {count > 0 && (
          <>
            <strong>{formatNumber(count)}</strong> {count === 1 ? 'assinatura' : 'assinaturas'}
          </>
        )}
        {count === 0 && (ending ? 'Nenhuma assinatura' : 'Seja a primeira pessoa a assinar')}
      </p>
      {!ending && (
        <p className="campaign-goal">
          <progress className="progress" max={goal} value={count} aria-label={`Meta de ${titulo}`} />
          Meta: {formatNumber(goal)}
        </p>
      )}
      <p className="campaign-call" aria-hidden="true">
        {ending ? 'Ver o resultado' : 'Assinar'}
      </p>
    </li>
  )
}

// What a closed or won campaign shows instead of its form. Only the server renders it.
import type { Campaign } from '#contract/campaigns.ts'
import { campaignPath } from '#contract/campaigns.ts'
import { shareText, shareUrl, urlFrom } from '#contract/share.ts'
import { useOutboundLinkProps, usePageContext } from '#web/api/page-context.ts'
import { formatNumber } from '#web/ui/format-number.ts'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { Manifesto } from '#web/ui/manifesto.tsx'

export function CampaignResult({ campaign, count }: { campaign: Campaign; count: number }) {
  const { form, site, publicUrl } = usePageContext()
  const outboundProps = useOutboundLinkProps()
  const isWon = campaign.status === 'won'
  const url = publicUrl + campaignPath(campaign.slug, site.deputado.slug)
  return (
    <section className="card" id="assinar" aria-labelledby="resultado-titulo">
      {/* The form was sent without JavaScript, from a page that was opened before the campaign ended. */}
      {form && (
        <p className="waiting" role="alert">
          {form.message}
        </p>
      )}
      <h2 id="resultado-titulo">{isWon ? 'Conseguimos!' : 'Campanha encerrada'}</h2>
      {campaign.resultHtml ? <Manifesto html={campaign.resultHtml} /> : <p>{isWon ? wonText : closedText}</p>}
      <p>
        <strong>{thanksTo(count, campaign.countingMode)}</strong>
      </p>
      <a
        className="button button-whatsapp submit"
        href={shareUrl.whatsapp({ text: shareText(campaign, 'whatsapp'), url: urlFrom(url, 'whatsapp') })}
        {...outboundProps}
      >
        <WhatsAppIcon /> Contar no WhatsApp
      </a>
      <a className="button submit" href="/campanhas" {...outboundProps}>
        Ver outras campanhas
      </a>
    </section>
  )
}

const wonText = 'A pressão deu certo: esta campanha alcançou o que pedia.'
const closedText =
  'Esta campanha já não recebe assinaturas. As que chegaram até aqui continuam valendo, e os próximos passos vão aparecer nesta página.'

function thanksTo(count: number, mode: Campaign['countingMode']): string {
  if (count === 0) return 'Obrigado por acompanhar!'
  if (count === 1) return 'Obrigado à pessoa que assinou!'
  return `Obrigado às ${formatNumber(count)} pessoas que assinaram${mode === 'confirmed' ? ' e confirmaram' : ''}!`
}

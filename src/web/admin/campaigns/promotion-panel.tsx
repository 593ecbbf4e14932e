// What an organiser needs to spread a campaign that is on the air: link, QR code, message, embed code, results.
import { Link } from 'react-router'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { shareText, urlFrom, whatsAppShare } from '#contract/share.ts'
import { LinkBuilder } from '#web/admin/links/link-builder.tsx'
import { campaignTarget } from '#web/admin/links/link-targets.ts'
import { useIsCoordinator } from '#web/admin/session/session.ts'
import { Copyable } from '#web/admin/ui/copyable.tsx'
import { NumbersIcon, PeopleIcon } from '#web/admin/ui/icons.tsx'
import { QrCode } from '#web/admin/ui/qr-code.tsx'
import { publicUrl } from '#web/admin/ui/site.ts'
import { embedScript } from '#web/pages/embeds/embed-script.ts'
import { WhatsAppIcon } from '#web/ui/icons.tsx'

export function PromotionPanel({ campaign }: { campaign: StoredCampaign }) {
  const { slug, path, status } = campaign
  const isCoordinator = useIsCoordinator()
  const isOver = status === 'closed' || status === 'won'
  const url = publicUrl + path
  const whatsApp = { text: shareText(campaign, 'whatsapp'), url: urlFrom(url, 'whatsapp') }
  return (
    <section className="panel campaign-section" aria-labelledby="secao-divulgar">
      <h2 id="secao-divulgar">Divulgar</h2>
      <div className="promotion">
        <div>
          <Copyable label="Link da campanha" text={url} />
          <Copyable label="Mensagem para o WhatsApp" text={`${whatsApp.text}\n${whatsApp.url}`} />
          <p>
            <a className="button small" href={whatsAppShare(whatsApp)} target="_blank" rel="noreferrer">
              <WhatsAppIcon />
              Abrir no WhatsApp
            </a>
          </p>
        </div>
        <div>
          <details>
            <summary>Código QR para cartazes</summary>
            <QrCode address={urlFrom(url, 'qr')} file={`qr-${slug}`} />
          </details>
          {!isOver && (
            <details>
              <summary>Código para pôr em outro site</summary>
              <Copyable label="Cole onde o formulário deve aparecer" text={embedScript(publicUrl, slug)} />
            </details>
          )}
        </div>
      </div>
      {!isOver && (
        <details className="promotion-origin">
          <summary>Link com origem, para saber de onde vêm as assinaturas</summary>
          <LinkBuilder targets={[campaignTarget(campaign)]} />
        </details>
      )}
      <p className="promotion-links">
        <Link to={fillPath(adminPaths.campaignNumbers, { slug })}>
          <NumbersIcon /> Números da campanha
        </Link>
        {isCoordinator && (
          <Link to={`${fillPath(adminPaths.peopleOfKind, { tipo: 'assinaturas' })}?campanha=${slug}`}>
            <PeopleIcon /> Quem assinou
          </Link>
        )}
      </p>
    </section>
  )
}

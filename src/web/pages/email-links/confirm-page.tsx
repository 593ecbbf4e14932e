// `/confirmar/…`: the owner of the e-mail address confirms a signature or the consent to receive news.
import { campaignPath } from '#contract/campaigns.ts'
import type { EmailLinkState } from '#contract/email-links.ts'
import { asSentence, shareText } from '#contract/share.ts'
import { emailLink } from '#web/api/email-links.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import { AlsoSignList } from '#web/forms/also-sign-list.tsx'
import '#web/forms/form-card.css'
import { ActionForm } from '#web/pages/email-links/action-form.tsx'
import { ShareKit } from '#web/ui/share-kit.tsx'

export default function ConfirmPage() {
  const { params } = usePageContext()
  const { data } = useQuery(emailLink('confirmar', params.token ?? ''))
  const petition = data?.campanha ?? undefined
  const countsWhenConfirmed = petition?.countingMode === 'confirmed'
  if (data?.tipo === 'cadastro') return <ConfirmForm />
  if (data?.tipo === 'volta') return <ReturnToNews />
  if (data?.tipo === 'novidades') return <AcceptNews petition={petition?.titulo} />
  return (
    <ActionForm
      asking={{
        sticker: 'Falta um toque',
        title: 'Confirme sua assinatura',
        lead: 'Foi você que assinou? Então aperte o botão: assim mostramos que há gente de verdade por trás do número.',
        children: (
          <>
            {petition && (
              <p>
                Petição: <strong>{petition.titulo}</strong>
              </p>
            )}
            <p>
              {countsWhenConfirmed
                ? 'Nesta petição, a assinatura entra na contagem quando você confirma.'
                : 'Sua assinatura já conta. Confirmar diz que o e-mail é mesmo seu.'}
            </p>
          </>
        ),
      }}
      button="Confirmar minha assinatura"
      done={{
        sticker: 'Confirmada',
        title: 'Assinatura confirmada',
        lead: countsWhenConfirmed
          ? 'Obrigado! Agora ela está na contagem. Ajude a causa a ir mais longe.'
          : 'Obrigado! Agora ajude a causa a ir mais longe.',
        children: (
          <>
            <ShareCard petition={petition} />
            <ul className="article-ways">
              <li>
                <a className="button" href="/conteudos-destaque">
                  Ver conteúdos para compartilhar
                </a>
              </li>
              <li>
                <a className="button" href="/">
                  Fazer parte do movimento
                </a>
              </li>
            </ul>
          </>
        ),
      }}
    />
  )
}

const homeLink = (
  <p>
    <a className="button" href="/">
      Ir para o início
    </a>
  </p>
)

function AcceptNews({ petition }: { petition: string | undefined }) {
  return (
    <ActionForm
      asking={{
        sticker: 'Novidades',
        title: 'Receber novidades',
        lead: 'Foi você que assinou de novo e marcou que quer receber novidades? Aperte o botão para confirmar.',
        children: (
          <>
            {petition && (
              <p>
                Petição: <strong>{petition}</strong>
              </p>
            )}
            <p>O botão também confirma que a assinatura é sua.</p>
          </>
        ),
      }}
      button="Quero receber novidades"
      done={{
        sticker: 'Pronto',
        title: 'Agora você recebe novidades',
        lead: 'Para sair, é só usar o link no fim de cada e-mail.',
        children: homeLink,
      }}
    />
  )
}

function ConfirmForm() {
  return (
    <ActionForm
      asking={{
        sticker: 'Falta um toque',
        title: 'Confirme o seu e-mail',
        lead: 'Foi você que se cadastrou e marcou que quer receber novidades? Aperte o botão para confirmar.',
        children: (
          <p>Seu cadastro já chegou. Confirmar diz que o e-mail é mesmo seu, e as novidades começam a chegar.</p>
        ),
      }}
      button="Confirmar e receber novidades"
      done={{
        sticker: 'Pronto',
        title: 'Agora você recebe novidades',
        lead: 'Para sair, é só usar o link no fim de cada e-mail.',
        children: homeLink,
      }}
    />
  )
}

function ReturnToNews() {
  return (
    <ActionForm
      asking={{
        sticker: 'Novidades',
        title: 'Voltar a receber novidades',
        lead: 'Você tinha saído e agora marcou que quer receber. Aperte o botão para confirmar.',
      }}
      button="Quero receber novidades"
      done={{
        sticker: 'Pronto',
        title: 'Você voltou a receber novidades',
        lead: 'Para sair de novo, é só usar o link no fim de cada e-mail.',
        children: homeLink,
      }}
    />
  )
}

type Petition = NonNullable<EmailLinkState['campanha']>

function ShareCard({ petition }: { petition: Petition | undefined }) {
  const { site, publicUrl } = usePageContext()
  // A campaign that is no longer public has no page to share.
  const shared = petition?.status === 'draft' ? undefined : petition
  return (
    <section className="card thank-you" aria-labelledby="passar-adiante">
      <p className="stamp" aria-hidden="true">
        Assinado
      </p>
      <h2 id="passar-adiante">Chame mais gente</h2>
      {petition && <p>{petition.titulo}</p>}
      <ShareKit
        place="share-thanks"
        label="Compartilhar a petição"
        url={publicUrl + (shared ? campaignPath(shared.slug, site.deputado.slug) : '/')}
        textFor={(channel) =>
          shared ? shareText(shared, channel) : `${asSentence(`Assinei com o ${site.movimento}`)} Vem também!`
        }
      />
      <AlsoSignList {...(petition && { signed: petition.slug })} />
    </section>
  )
}

// Creates a link with an origin: address, WhatsApp text and QR code.
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { readCampaign } from '#contract/campaigns.ts'
import { maxOriginLength, normalizeOrigin } from '#contract/origin.ts'
import { asSentence, shareText, urlFrom, whatsAppShare } from '#contract/share.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { OriginSuggestions } from '#web/admin/links/origin-suggestions.tsx'
import { Copyable } from '#web/admin/ui/copyable.tsx'
import { QrCode } from '#web/admin/ui/qr-code.tsx'
import { publicUrl } from '#web/admin/ui/site.ts'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import './link-builder.css'

export interface LinkTarget {
  path: string
  title: string
  /** The campaign of the page, if it is one. Its share text is used. */
  slug?: string
  /** The share text of a page that is no campaign. */
  text?: string
}

interface LinkBuilderProps {
  targets: [LinkTarget, ...LinkTarget[]]
}

export function LinkBuilderPanel({ targets }: LinkBuilderProps) {
  const title = useId()
  return (
    <section className="panel" aria-labelledby={title}>
      <h2 id={title}>Criar link com origem</h2>
      <LinkBuilder targets={targets} />
    </section>
  )
}

export function LinkBuilder({ targets }: LinkBuilderProps) {
  const id = useId()
  const [path, setPath] = useState(targets[0].path)
  const [typed, setTyped] = useState('')
  const target = targets.find((candidate) => candidate.path === path) ?? targets[0]
  const origin = normalizeOrigin(typed.toLowerCase())

  return (
    <>
      <p>
        A origem é uma palavra no link que mostra de onde vieram as assinaturas. Ela é a mesma para todo mundo que usa o
        link: nenhuma pessoa é rastreada.
      </p>
      <div className="link-builder">
        <div>
          {targets.length > 1 && (
            <div className="field">
              <label htmlFor={`${id}-pagina`}>Página</label>
              <select id={`${id}-pagina`} value={target.path} onChange={(event) => setPath(event.target.value)}>
                {targets.map((page) => (
                  <option key={page.path} value={page.path}>
                    {page.title}
                  </option>
                ))}
              </select>
            </div>
          )}
          <div className="field">
            <label htmlFor={`${id}-origem`}>Origem</label>
            <input
              id={`${id}-origem`}
              value={typed}
              list={`${id}-origens`}
              maxLength={maxOriginLength}
              placeholder="radio-comunitaria"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              aria-describedby={`${id}-dica`}
              onChange={(event) => setTyped(event.target.value)}
            />
            <OriginSuggestions id={`${id}-origens`} />
            <p className="hint" id={`${id}-dica`}>
              {origin && origin !== typed
                ? `Vai no link como “${origin}”.`
                : 'Onde o link vai ser usado: uma rádio, uma feira, um grupo. Até 60 letras e números, sem espaços.'}
            </p>
          </div>
        </div>
        {origin && <LinkWithOrigin key={target.path} target={target} origin={origin} />}
      </div>
    </>
  )
}

function LinkWithOrigin({ target, origin }: { target: LinkTarget; origin: string }) {
  const { slug = '', path, title, text: ownText = asSentence(title) } = target
  // A draft has no public page yet: its title is used.
  const campaign = useQuery({
    queryKey: [readCampaign.path, slug],
    queryFn: () => callAdmin(readCampaign, { background: true, params: { slug } }),
    enabled: slug !== '',
    retry: false,
  })
  const url = urlFrom(`${publicUrl}${path}`, origin)
  const text = campaign.data ? shareText(campaign.data.campaign, 'whatsapp') : ownText
  return (
    <>
      <div>
        <Copyable label="Link" text={url} />
        <Copyable label="Texto para o WhatsApp" text={`${text} ${url}`} />
        <p>
          <a className="button small" href={whatsAppShare({ text, url })} target="_blank" rel="noreferrer">
            <WhatsAppIcon /> Abrir no WhatsApp
          </a>
        </p>
      </div>
      <QrCode address={url} file={`qr-${slug || 'site'}-${origin}`} />
    </>
  )
}

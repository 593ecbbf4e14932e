// Preview of a news item as a page and as an e-mail, in phone and desktop size.
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { type NewsPreview as NewsPreviewMessage, type StoredNews, testNews } from '#contract/admin/news.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { campaignQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { newsPreviewQuery } from '#web/admin/news/news-queries.ts'
import type { NewsValues } from '#web/admin/news/news-values.ts'
import { useNewsChange } from '#web/admin/news/use-news-change.ts'
import { useIsCoordinator } from '#web/admin/session/session.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { EmailFrame } from '#web/admin/ui/email-frame.tsx'
import { EmailIcon } from '#web/admin/ui/icons.tsx'
import { PreviewFrame, ScreenChoice, type ScreenSize, useAvailableWidth } from '#web/admin/ui/preview-frame.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'

const tabs = { page: 'Página', email: 'E-mail' } as const
type Tab = keyof typeof tabs

interface NewsPreviewProps {
  values: NewsValues
  stored: StoredNews | undefined
  campaignId: number | undefined
  isUnsaved: boolean
  /** Saves the form if needed, then runs the action. */
  afterSaving(action: () => void): void
  onClose(): void
}

export function NewsPreview({ values, stored, campaignId, isUnsaved, afterSaving, onClose }: NewsPreviewProps) {
  const [tab, setTab] = useState<Tab>('page')
  const [screen, setScreen] = useState<ScreenSize>('phone')
  const isCoordinator = useIsCoordinator()
  const page = <PageTab {...{ values, stored, campaignId, screen, onClose }} />
  return (
    <Dialog title="Prévia da novidade" onClose={onClose} wide>
      {isCoordinator ? (
        <>
          <Tabs chosen={tab} onChoose={setTab} />
          <div role="tabpanel" id="painel-previa" aria-labelledby={`aba-${tab}`}>
            <ScreenChoice screen={screen} onChoose={setScreen} />
            {tab === 'page' && page}
            {tab === 'email' && <EmailTab {...{ stored, screen, isUnsaved, afterSaving }} />}
          </div>
        </>
      ) : (
        <>
          <ScreenChoice screen={screen} onChoose={setScreen} />
          {page}
        </>
      )}
    </Dialog>
  )
}

function Tabs({ chosen, onChoose }: { chosen: Tab; onChoose(tab: Tab): void }) {
  const list = useRef<HTMLDivElement>(null)
  const names = Object.keys(tabs) as Tab[]
  function move(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const index = (names.indexOf(chosen) + step + names.length) % names.length
    onChoose(names[index] as Tab)
    list.current?.querySelectorAll('button')[index]?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label="O que mostrar" className="preview-tabs" onKeyDown={move} tabIndex={-1}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`aba-${name}`}
          aria-selected={name === chosen}
          aria-controls="painel-previa"
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {tabs[name]}
        </button>
      ))}
    </div>
  )
}

interface PageTabProps extends Pick<NewsPreviewProps, 'values' | 'stored' | 'campaignId' | 'onClose'> {
  screen: ScreenSize
}

function PageTab({ campaignId, ...rest }: PageTabProps) {
  if (campaignId === undefined)
    return <EmptyState>Escolha a campanha: a prévia mostra a novidade na página dela.</EmptyState>
  return <CampaignPageTab {...rest} campaignId={campaignId} />
}

function CampaignPageTab({ values, stored, campaignId, screen, onClose }: PageTabProps & { campaignId: number }) {
  const campaign = useQuery(campaignQuery(campaignId))
  return (
    <QueryBoundary query={campaign} rows={6}>
      {(data) => {
        const { slug, titulo, themeColor, status } = data.campaign
        const message: NewsPreviewMessage = {
          campaign: { slug, titulo, themeColor, status: status === 'draft' ? 'live' : status },
          news: {
            titulo: values.titulo.trim() || 'Título da novidade',
            html: values.html,
            imagem: values.imagem || null,
            ...(stored?.publicadaEm && { publicadaEm: stored.publicadaEm, alteradaEm: stored.publicadaEm }),
          },
        }
        return <PreviewFrame title="Prévia da página da novidade" screen={screen} message={message} onClose={onClose} />
      }}
    </QueryBoundary>
  )
}

interface EmailTabProps extends Pick<NewsPreviewProps, 'stored' | 'isUnsaved' | 'afterSaving'> {
  screen: ScreenSize
}

function EmailTab({ stored, screen, isUnsaved, afterSaving }: EmailTabProps) {
  if (!stored) return <EmptyState icon={EmailIcon}>Salve o rascunho para ver como o e-mail chega.</EmptyState>
  return <StoredEmail {...{ stored, screen, isUnsaved, afterSaving }} />
}

function StoredEmail({ stored, screen, isUnsaved, afterSaving }: EmailTabProps & { stored: StoredNews }) {
  const email = useQuery(newsPreviewQuery(stored))
  const { change: test, problem } = useNewsChange(stored.id, () =>
    callAdmin(testNews, { params: { id: String(stored.id) } }),
  )
  return (
    <>
      {isUnsaved && (
        <div className="notice preview-unsaved">
          <p>O e-mail abaixo é o que está salvo: as últimas mudanças não aparecem.</p>
          <button type="button" className="button small" onClick={() => afterSaving(() => {})}>
            Salvar
          </button>
        </div>
      )}
      <div className="actions preview-test">
        <button
          type="button"
          className="button small"
          aria-disabled={test.isPending || undefined}
          onClick={() => !test.isPending && test.mutate()}
        >
          <EmailIcon size={18} />
          {test.isPending ? 'Enviando o teste...' : 'Enviar teste para mim'}
        </button>
        <p role="status">{test.data?.message}</p>
      </div>
      <p role="alert" className="error">
        {problem}
      </p>
      <QueryBoundary query={email} rows={6}>
        {({ email: { assunto, html } }) => (
          <>
            <p>
              Assunto: <strong>{assunto}</strong>
            </p>
            <ScaledEmail html={html} screen={screen} />
          </>
        )}
      </QueryBoundary>
    </>
  )
}

/** Width of the e-mail: a phone, and the reading pane of most programs on a computer. */
const emailWidths: Record<ScreenSize, number> = { phone: 375, desktop: 800 }

function ScaledEmail({ html, screen }: { html: string; screen: ScreenSize }) {
  const [container, availableWidth] = useAvailableWidth<HTMLDivElement>()
  const width = emailWidths[screen]
  const zoom = availableWidth ? Math.min(1, availableWidth / width) : 1
  return (
    <div ref={container} className="email-preview">
      <div style={{ width, zoom }}>
        <EmailFrame key={screen} html={html} title="Prévia do e-mail" />
      </div>
    </div>
  )
}

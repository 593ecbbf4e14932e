// Pages to write, publish and follow a news item.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { deleteNews, type StoredNews } from '#contract/admin/news.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { NewsForm } from '#web/admin/news/news-form.tsx'
import { forgetNews, newsPreviewQuery, newsQuery } from '#web/admin/news/news-queries.ts'
import { NewsStatusBadge } from '#web/admin/news/news-status-badge.tsx'
import { newValues, valuesOfNews } from '#web/admin/news/news-values.ts'
import { PagePanel } from '#web/admin/news/page-panel.tsx'
import { ResultsPanel } from '#web/admin/news/results-panel.tsx'
import { SendPanel } from '#web/admin/news/send-panel.tsx'
import { newsFailed } from '#web/admin/news/use-news-change.ts'
import { WhatsappPanel } from '#web/admin/news/whatsapp-panel.tsx'
import { useIsCoordinator } from '#web/admin/session/session.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { EmailFrame } from '#web/admin/ui/email-frame.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { formatMinute } from '#web/admin/ui/format-minute.ts'
import { RemoveIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { useFocusAfterRemoval } from '#web/admin/ui/use-focus-after-removal.ts'
import './news.css'

const above = (
  <Link className="news-back" to={adminPaths.news}>
    Novidades
  </Link>
)

export function NewNewsItemPage() {
  const [params] = useSearchParams()
  const campaignId = Number(params.get('campanha')) || undefined
  const isCoordinator = useIsCoordinator()
  const [isRestored, setRestored] = useState(false)
  const [resets, setResets] = useState(0)
  const reset = () => setResets((count) => count + 1)
  return (
    <Page title="Escrever novidade" above={above} intro="Fica como rascunho até você publicar.">
      {isRestored && <RestoredDraft action="Descartar" onDiscard={reset} />}
      <NewsForm
        key={resets}
        initial={newValues(campaignId, { byEmail: isCoordinator })}
        campaignId={campaignId}
        resets={resets}
        onReset={reset}
        onRestored={setRestored}
      />
    </Page>
  )
}

export function NewsItemPage() {
  const { id = '' } = useParams()
  const stored = useQuery(newsQuery(Number(id)))
  const news = stored.data?.novidade
  const isCoordinator = useIsCoordinator()
  const [firstStatus, setFirstStatus] = useState(news?.status)
  if (firstStatus === undefined && news) setFirstStatus(news.status)
  // The button that published it has disappeared, with the focus.
  const wasPublishedHere = firstStatus !== 'published' && news?.status === 'published'
  const facts = useFocusAfterRemoval<HTMLSpanElement>(wasPublishedHere)
  return (
    <Page
      title={news?.titulo ?? 'Novidade'}
      above={above}
      intro={news && <NewsFacts ref={facts} news={news} />}
      actions={news?.status === 'draft' && mayChange(news, isCoordinator) && <DeleteButton news={news} />}
    >
      <QueryBoundary query={stored} rows={8}>
        {(data) => <NewsItem key={data.novidade.id} news={data.novidade} />}
      </QueryBoundary>
    </Page>
  )
}

function NewsFacts({ news, ref }: { news: StoredNews; ref: Ref<HTMLSpanElement> }) {
  const { status, campanha, agendadaPara, publicadaEm, alteradaEm, autor } = news
  return (
    <span className="news-facts" tabIndex={-1} ref={ref}>
      <NewsStatusBadge status={status} />
      <Link to={fillPath(adminPaths.campaign, { id: String(campanha.id) })}>{campanha.titulo}</Link>
      <span>
        {agendadaPara
          ? `sai em ${formatMinute(agendadaPara)}`
          : publicadaEm
            ? `publicada em ${formatDateTime(publicadaEm)}`
            : `mudou em ${formatDateTime(alteradaEm)}`}
      </span>
      <span>por {autor}</span>
    </span>
  )
}

function NewsItem({ news }: { news: StoredNews }) {
  const [isRestored, setRestored] = useState(false)
  const [resets, setResets] = useState(0)
  const isCoordinator = useIsCoordinator()
  const isPublished = news.status === 'published'
  function reset(): void {
    setRestored(false)
    setResets((count) => count + 1)
  }
  return (
    <>
      {isPublished && (
        <div className="news-panels">
          {news.porEmail && isCoordinator && <SendPanel news={news} />}
          <ResultsPanel news={news} />
          {mayChange(news, isCoordinator) && <PagePanel news={news} />}
          <WhatsappPanel news={news} />
        </div>
      )}
      {mayChange(news, isCoordinator) ? (
        <>
          {isRestored && <RestoredDraft action="Descartar e usar o que está salvo" onDiscard={reset} />}
          <NewsForm
            key={resets}
            stored={news}
            initial={valuesOfNews(news)}
            resets={resets}
            onReset={reset}
            onRestored={setRestored}
          />
        </>
      ) : (
        <section className="panel" aria-labelledby="secao-texto">
          <h2 id="secao-texto">Texto</h2>
          <p className="notice">{adminMessages.news.emailRole}. Você pode ler o texto aqui.</p>
          <EmailText news={news} />
        </section>
      )}
    </>
  )
}

/** News that are sent by e-mail are for `coordenacao`. */
const mayChange = ({ porEmail }: StoredNews, isCoordinator: boolean) => isCoordinator || !porEmail

function EmailText({ news }: { news: StoredNews }) {
  const preview = useQuery(newsPreviewQuery(news))
  return (
    <QueryBoundary query={preview} rows={6}>
      {({ email }) => <EmailFrame html={email.html} title="Texto da novidade" />}
    </QueryBoundary>
  )
}

function RestoredDraft({ action, onDiscard }: { action: string; onDiscard(): void }) {
  return (
    <div className="notice restored-news">
      <p role="status">{adminMessages.session.draftBack}</p>
      <button type="button" className="button small" onClick={onDiscard}>
        {action}
      </button>
    </div>
  )
}

function DeleteButton({ news: { id, titulo } }: { news: StoredNews }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const removal = useMutation({
    mutationFn: () => callAdmin(deleteNews, { params: { id: String(id) } }),
    async onSuccess({ message }) {
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      await navigate(adminPaths.news)
      forgetNews(queries, id)
    },
  })
  return (
    <>
      <button type="button" className="button small" onClick={() => setConfirming(true)}>
        <RemoveIcon />
        Apagar rascunho
      </button>
      {isConfirming && (
        <Confirmation
          title="Apagar o rascunho"
          question={`O rascunho “${titulo}” é apagado para sempre.`}
          action="Apagar"
          busy={removal.isPending}
          problem={removal.error ? errorMessage(removal.error, newsFailed) : ''}
          onConfirm={() => removal.mutate()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}

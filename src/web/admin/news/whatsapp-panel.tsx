// The news item as a text for WhatsApp, with its formatting marks and link.
import { useQuery } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import type { StoredNews } from '#contract/admin/news.ts'
import { downloadParameter, imageFileName } from '#contract/contents.ts'
import { newsPreviewQuery } from '#web/admin/news/news-queries.ts'
import { DownloadIcon } from '#web/admin/ui/icons.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { useCopied } from '#web/ui/use-copied.ts'
import '#web/forms/fields/field.css'

export function WhatsappPanel({ news }: { news: StoredNews }) {
  const preview = useQuery(newsPreviewQuery(news))
  return (
    <section className="panel news-section" aria-labelledby="secao-whatsapp">
      <h2 id="secao-whatsapp">WhatsApp</h2>
      <p className="faint">O texto pronto, com negrito e link, para mandar nos grupos.</p>
      <QueryBoundary query={preview} rows={2}>
        {({ whatsapp }) => <MessageText text={whatsapp} />}
      </QueryBoundary>
      {news.imagem && <MessageImage path={news.imagem} title={news.titulo} />}
    </section>
  )
}

function MessageText({ text }: { text: string }) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [copied, markCopied] = useCopied()
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      markCopied()
    } catch {
      // Without access to the clipboard, the text is selected for copying by hand.
      area.current?.select()
    }
  }
  return (
    <>
      <div className="field">
        <label htmlFor={id}>Texto para o WhatsApp</label>
        <textarea ref={area} id={id} readOnly rows={8} value={text} />
      </div>
      <div className="actions">
        <button type="button" className="button small" onClick={() => void copy()}>
          {copied ? 'Copiado!' : 'Copiar texto'}
        </button>
        <a
          className="button small"
          href={`https://wa.me/?text=${encodeURIComponent(text)}`}
          target="_blank"
          rel="noreferrer"
        >
          <WhatsAppIcon />
          Abrir no WhatsApp
        </a>
        <span className="hidden" role="status">
          {copied && 'Texto copiado'}
        </span>
      </div>
    </>
  )
}

function MessageImage({ path, title }: { path: string; title: string }) {
  return (
    <div className="whatsapp-image">
      <img src={path} alt="Imagem da novidade" />
      <div>
        <p>Mande junto com o texto: no WhatsApp, anexe a imagem e cole o texto como legenda.</p>
        <a className="button small" href={`${path}?${downloadParameter}=${imageFileName(title)}`} download>
          <DownloadIcon size={18} />
          Baixar imagem
        </a>
      </div>
    </div>
  )
}

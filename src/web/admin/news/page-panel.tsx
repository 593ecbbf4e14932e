// A published news item on the page of its campaign: its address, shown or hidden.
import { useState } from 'react'
import { type StoredNews, showNews } from '#contract/admin/news.ts'
import { fillPath } from '#contract/endpoint.ts'
import { newsPaths } from '#contract/news.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { useNewsChange } from '#web/admin/news/use-news-change.ts'
import { Copyable } from '#web/admin/ui/copyable.tsx'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { ExternalIcon } from '#web/admin/ui/icons.tsx'
import { publicUrl } from '#web/admin/ui/site.ts'

/** Undefined before the first publication on the page. */
export const newsPath = ({ n, campanha: { slug } }: Pick<StoredNews, 'n' | 'campanha'>) =>
  n === null ? undefined : fillPath(newsPaths.item, { slug, n: String(n) })

export function PagePanel({ news }: { news: StoredNews }) {
  const { id, naPagina } = news
  const [isConfirming, setConfirming] = useState(false)
  const { change, problem } = useNewsChange(id, (isShown: boolean) =>
    callAdmin(showNews, { params: { id: String(id) }, body: { naPagina: isShown } }),
  )
  const path = newsPath(news)
  return (
    <section className="panel news-section" aria-labelledby="secao-pagina">
      <h2 id="secao-pagina">Na página da campanha</h2>
      {naPagina && path ? (
        <>
          <Copyable label="Endereço da novidade" text={publicUrl + path} />
          <div className="actions">
            <a className="button small" href={path} target="_blank" rel="noreferrer">
              <ExternalIcon size={18} />
              Ver na página
            </a>
            <button type="button" className="button small" onClick={() => setConfirming(true)}>
              Tirar da página
            </button>
          </div>
        </>
      ) : (
        <>
          <p>Esta novidade não aparece na página da campanha.</p>
          <div className="actions">
            <button
              type="button"
              className="button small"
              aria-disabled={change.isPending || undefined}
              onClick={() => !change.isPending && change.mutate(true)}
            >
              Mostrar na página
            </button>
          </div>
        </>
      )}
      {!isConfirming && (
        <p role="alert" className="error">
          {problem}
        </p>
      )}
      {isConfirming && (
        <Confirmation
          title="Tirar da página"
          question="A novidade sai da página da campanha, e o endereço dela para de abrir, também nos e-mails que já foram. Você pode mostrar de novo quando quiser."
          action="Tirar da página"
          busy={change.isPending}
          problem={problem}
          onConfirm={() => change.mutate(false, { onSuccess: () => setConfirming(false) })}
          onClose={() => setConfirming(false)}
        />
      )}
    </section>
  )
}

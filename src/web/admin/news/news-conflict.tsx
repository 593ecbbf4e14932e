// Shown when another administrator saved first: which of the two versions to keep.
import { useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import type { StoredNews } from '#contract/admin/news.ts'
import { textChanges } from '#web/admin/editor/text-changes.ts'
import { differences, type NewsValues, valuesOfNews } from '#web/admin/news/news-values.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'

interface NewsConflictProps {
  mine: NewsValues
  stored: StoredNews
  onSaveMine(): void
  onUseStored(): void
  onClose(): void
}

const names = {
  titulo: 'Título',
  html: 'Texto',
  imagem: 'Imagem',
  naPagina: 'Na página da campanha',
  porEmail: 'Por e-mail',
  segmento: 'Destinatários',
} as const

export function NewsConflict({ mine, stored, onSaveMine, onUseStored, onClose }: NewsConflictProps) {
  const [isShown, setShown] = useState(false)
  const theirs = valuesOfNews(stored)
  const changed = differences(mine, theirs)
  return (
    <Dialog title="Outra pessoa salvou antes de você" onClose={onClose}>
      <p>{adminMessages.news.conflict}</p>
      <p className="faint">Salva em {formatDateTime(stored.alteradaEm)}. O que você escreveu continua no formulário.</p>
      {isShown && (
        <dl className="news-versions">
          {changed.length === 0 && <p>As duas versões são iguais.</p>}
          {changed.map((name) => (
            <div key={name}>
              <dt>{names[name]}</dt>
              <dd>
                <Difference name={name} mine={mine[name]} theirs={theirs[name]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="actions">
        {isShown ? (
          <button type="button" className="button" onClick={onUseStored}>
            Usar a versão salva
          </button>
        ) : (
          <button type="button" className="button" onClick={() => setShown(true)}>
            Ver a versão salva
          </button>
        )}
        <button type="button" className="button button-yellow" onClick={onSaveMine}>
          Salvar a minha
        </button>
      </div>
    </Dialog>
  )
}

interface DifferenceProps {
  name: keyof typeof names
  mine: string
  theirs: string
}

function Difference({ name, mine, theirs }: DifferenceProps) {
  if (name === 'titulo')
    return (
      <p>
        A minha: “{mine}”. A salva: “{theirs}”.
      </p>
    )
  if (name !== 'html') return <p>As duas versões são diferentes.</p>
  const changes = textChanges(mine, theirs).filter(({ kind }) => kind !== 'same')
  if (changes.length === 0) return <p>Só a formatação muda.</p>
  return (
    <>
      {changes.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <p key={index}>
          {kind === 'added' ? 'Só na salva: ' : 'Só na minha: '}
          {kind === 'added' ? <ins>{text}</ins> : <del>{text}</del>}
        </p>
      ))}
    </>
  )
}

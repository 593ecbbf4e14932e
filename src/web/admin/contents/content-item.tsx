// One content of the list, with its actions.
import type { ManagedContent } from '#contract/admin/contents.ts'
import { MoveButton } from '#web/admin/ui/move-button.tsx'

interface ItemActions {
  onMove(step: -1 | 1): void
  onShow(isActive: boolean): void
  onEdit(): void
  onRemove(): void
}

interface ContentItemProps extends ItemActions {
  content: ManagedContent
  /** Position among the visible contents, from 0. */
  index: number
  count: number
  busy: boolean
  drag: 'dragged' | 'before' | 'after' | undefined
  handle: object
}

export function ContentItem({ content, index, count, busy, drag, handle, ...actions }: ContentItemProps) {
  const { id, titulo, descricao, categoria, imagemUrl, ordem, isActive } = content
  return (
    <li className="managed" data-id={id} data-drag={drag} data-off={!isActive || undefined}>
      <span className="managed-handle" aria-hidden="true" title="Arrastar" {...handle}>
        ⠿
      </span>
      <img src={thumbnailUrl(imagemUrl)} alt="" width={64} height={80} loading="lazy" decoding="async" />
      <div className="managed-text">
        <h2>{titulo}</h2>
        <p>
          <span className="badge">{categoria}</span>{' '}
          <span className={isActive ? 'badge badge-good' : 'badge badge-bad'}>
            {isActive ? 'No site' : 'Fora do site'}
          </span>{' '}
          <span className="faint">Ordem {ordem}</span>
        </p>
        <p className="managed-description">{descricao}</p>
      </div>
      <div className="managed-ways">
        <MoveButton id={id} name={titulo} step={-1} canMove={index > 0} onMove={actions.onMove} />
        <MoveButton id={id} name={titulo} step={1} canMove={index < count - 1} onMove={actions.onMove} />
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            checked={isActive}
            aria-checked={isActive}
            disabled={busy}
            aria-label={`Mostrar no site: ${titulo}`}
            onChange={({ currentTarget }) => actions.onShow(currentTarget.checked)}
          />
          <span aria-hidden="true">Mostrar</span>
        </label>
        <button type="button" className="button small" aria-label={`Editar ${titulo}`} onClick={actions.onEdit}>
          Editar
        </button>
        <button type="button" className="button small" aria-label={`Remover ${titulo}`} onClick={actions.onRemove}>
          Remover
        </button>
      </div>
    </li>
  )
}

const thumbnailUrl = (imagemUrl: string) => imagemUrl.replace(/^(\/media\/[0-9a-f]{64})\.webp$/, '$1.640.webp')

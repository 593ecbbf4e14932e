// Chooses the image of a content, which is stored already.
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useContents } from '#web/admin/contents/contents-query.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'

/** Images that are part of the installation have other paths. */
const uploadedPath = /^\/media\/[0-9a-f]{64}\./

export function ContentImageChoice({ onChoose }: { onChoose(imageUrl: string): void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="link" onClick={() => setOpen(true)}>
        Escolher de um conteúdo
      </button>
      {isOpen &&
        createPortal(
          <Contents
            onClose={() => setOpen(false)}
            onChoose={(imageUrl) => {
              setOpen(false)
              onChoose(imageUrl)
            }}
          />,
          document.body,
        )}
    </>
  )
}

function Contents({ onChoose, onClose }: { onChoose(imageUrl: string): void; onClose(): void }) {
  const contents = useContents()
  return (
    <Dialog title="Escolher de um conteúdo" onClose={onClose}>
      <QueryBoundary query={contents} shape="cards">
        {(all) => {
          const usable = all.filter(({ imagemUrl }) => uploadedPath.test(imagemUrl))
          return usable.length === 0 ? (
            <EmptyState>Nenhum conteúdo com imagem ainda.</EmptyState>
          ) : (
            <ul className="content-images">
              {usable.map(({ id, titulo, imagemUrl }) => (
                <li key={id}>
                  <button type="button" onClick={() => onChoose(imagemUrl)}>
                    <img src={imagemUrl} alt="" loading="lazy" decoding="async" />
                    <span>{titulo}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }}
      </QueryBoundary>
    </Dialog>
  )
}

// The window in which a content is written. What was typed is not thrown away by a slip of the finger.
import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { ManagedContent } from '#contract/admin/contents.ts'
import { ContentForm, draftName } from '#web/admin/contents/content-form.tsx'
import { useContents, useContentsChanges } from '#web/admin/contents/contents-query.ts'
import { Confirmation, Dialog } from '#web/admin/ui/dialog.tsx'
import { type FormTexts, keepDraft } from '#web/admin/ui/drafts.ts'
import { UnsavedGuard } from '#web/admin/ui/unsaved-guard.tsx'

interface ContentDialogProps {
  content: ManagedContent | undefined
  categories: string[]
  onClose(): void
  /** A new one is stored and still being written. */
  onCreated?(content: ManagedContent): void
}

export function ContentDialog({ content, categories, onClose, onCreated }: ContentDialogProps) {
  const { data: all = [], refetch } = useContents()
  const { saved, askAgain } = useContentsChanges()
  const { pathname } = useLocation()
  const [touched, setTouched] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const done = useRef(false)
  const [round, setRound] = useState(0)
  // What the editing began with: a newer version that arrives meanwhile must not look like what was edited.
  const [edited, setEdited] = useState(content)

  async function readAgain() {
    const { data } = await refetch({ throwOnError: true })
    return data?.find(({ id }) => id === content?.id)
  }
  function finish(): void {
    done.current = true
    onClose()
  }
  /** What was typed too late for the save that is done is there for the next. */
  function goOn(now: ManagedContent, later: FormTexts): void {
    keepDraft(pathname, draftName(now), { ...later, updatedAt: now.updatedAt })
    if (content) {
      setEdited(now)
      setRound(round + 1)
    } else {
      done.current = true
      onCreated?.(now)
    }
  }
  const close = () => (touched ? setLeaving(true) : finish())

  return (
    <>
      <UnsavedGuard when={() => touched && !done.current} />
      <Dialog title={content ? 'Editar conteúdo' : 'Novo conteúdo'} onClose={close}>
        <ContentForm
          key={round}
          content={edited}
          categories={categories}
          lastPlace={Math.max(-1, ...all.map(({ ordem }) => ordem)) + 1}
          onTouch={() => setTouched(true)}
          onClose={close}
          askAgain={askAgain}
          readAgain={readAgain}
          onSaved={(now, later) => {
            void saved(now)
            if (later) goOn(now, later)
            else finish()
          }}
          onDiscard={async () => {
            const now = await readAgain()
            if (!now) return false
            setEdited(now)
            setTouched(false)
            setRound(round + 1)
            return true
          }}
        />
      </Dialog>
      {leaving && (
        <Confirmation
          title="Descartar"
          question="O que você escreveu ainda não foi salvo. Descartar mesmo assim?"
          action="Descartar"
          busy={false}
          onConfirm={finish}
          onClose={() => setLeaving(false)}
        />
      )}
    </>
  )
}

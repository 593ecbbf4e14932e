// Dialog to write a content. Asks before unsaved input is discarded.
import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { ManagedContent } from '#contract/admin/contents.ts'
import { ContentForm, draftName } from '#web/admin/contents/content-form.tsx'
import { useContents, useContentsChanges } from '#web/admin/contents/contents-query.ts'
import { Confirmation, Dialog } from '#web/admin/ui/dialog.tsx'
import { type FormTexts, saveDraft } from '#web/admin/ui/drafts.ts'
import { UnsavedGuard } from '#web/admin/ui/unsaved-guard.tsx'

interface ContentDialogProps {
  content: ManagedContent | undefined
  categories: string[]
  onClose(): void
  /** The new content is stored, and still being edited. */
  onCreated?(content: ManagedContent): void
}

export function ContentDialog({ content, categories, onClose, onCreated }: ContentDialogProps) {
  const { data: all = [], refetch } = useContents()
  const { updateCached, refresh } = useContentsChanges()
  const { pathname } = useLocation()
  const [touched, setTouched] = useState(false)
  const [isConfirmingDiscard, setConfirmingDiscard] = useState(false)
  const isDone = useRef(false)
  const [formKey, setFormKey] = useState(0)
  // The version at the start of the edit: a newer version that arrives later must not count as the edited one.
  const [edited, setEdited] = useState(content)

  async function reload() {
    const { data } = await refetch({ throwOnError: true })
    return data?.find(({ id }) => id === content?.id)
  }
  function finish(): void {
    isDone.current = true
    onClose()
  }
  /** Input typed during the request becomes a draft for the next save. */
  function continueEditing(stored: ManagedContent, later: FormTexts): void {
    saveDraft(pathname, draftName(stored), { ...later, updatedAt: stored.updatedAt })
    if (content) {
      setEdited(stored)
      setFormKey(formKey + 1)
    } else {
      isDone.current = true
      onCreated?.(stored)
    }
  }
  const close = () => (touched ? setConfirmingDiscard(true) : finish())

  return (
    <>
      <UnsavedGuard when={() => touched && !isDone.current} />
      <Dialog title={content ? 'Editar conteúdo' : 'Novo conteúdo'} onClose={close}>
        <ContentForm
          key={formKey}
          content={edited}
          categories={categories}
          newPosition={Math.max(-1, ...all.map(({ ordem }) => ordem)) + 1}
          onTouch={() => setTouched(true)}
          onClose={close}
          refresh={refresh}
          reload={reload}
          onSaved={(stored, later) => {
            void updateCached(stored)
            if (later) continueEditing(stored, later)
            else finish()
          }}
          onDiscard={async () => {
            const stored = await reload()
            if (!stored) return false
            setEdited(stored)
            setTouched(false)
            setFormKey(formKey + 1)
            return true
          }}
        />
      </Dialog>
      {isConfirmingDiscard && (
        <Confirmation
          title="Descartar"
          question="O que você escreveu ainda não foi salvo. Descartar mesmo assim?"
          action="Descartar"
          busy={false}
          onConfirm={finish}
          onClose={() => setConfirmingDiscard(false)}
        />
      )}
    </>
  )
}

// Dialog to insert an image into the text: uploads it, then asks for a description.
import type { Editor } from '@tiptap/react'
import { type FormEvent, useState } from 'react'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { UploadedImageField } from '#web/admin/ui/image-field.tsx'
import { TextField } from '#web/forms/fields/field.tsx'

interface ImageDialogProps {
  editor: Editor
  onClose(): void
}

export function ImageDialog({ editor, onClose }: ImageDialogProps) {
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [uploads, setUploads] = useState(0)
  const form = { errors, initial: () => '', chosen: () => false }

  function insertImage(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    event.stopPropagation()
    const data = new FormData(event.currentTarget)
    const src = String(data.get('imagemDoTexto') ?? '')
    if (!src) {
      setErrors({ imagemDoTexto: 'Escolha uma imagem' })
      return
    }
    onClose()
    editor
      .chain()
      .focus()
      .setImage({ src, alt: String(data.get('descricaoDaImagem') ?? '').trim() })
      .run()
  }

  return (
    <Dialog title="Pôr uma imagem" onClose={onClose}>
      <form noValidate onSubmit={insertImage} onInput={(event) => event.stopPropagation()}>
        <UploadedImageField form={form} name="imagemDoTexto" label="Imagem" required countUploads={setUploads} />
        <TextField
          form={form}
          name="descricaoDaImagem"
          label="Descrição da imagem"
          hint="Para quem não vê a imagem. Se ela só enfeita, deixe vazio."
          autoComplete="off"
        />
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" disabled={uploads > 0}>
            Pôr no texto
          </button>
        </div>
      </form>
    </Dialog>
  )
}

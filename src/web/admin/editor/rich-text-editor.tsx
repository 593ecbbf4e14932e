// The editor of formatted text. Loaded on demand: it is as large as the rest of the admin area.
import { EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useState } from 'react'
import { extensions } from '#web/admin/editor/extensions.ts'
import { contentOf, tidyHtml } from '#web/admin/editor/html.ts'
import { cleanPasted } from '#web/admin/editor/pasted.ts'
import { Toolbar } from '#web/admin/editor/toolbar.tsx'
import './rich-text-editor.css'

interface RichTextEditorProps {
  /** Id of the text box, and prefix of the ids of its hint and error. */
  id: string
  label: string
  start: string
  error: string | undefined
  onChange(html: string): void
}

export default function RichTextEditor({ id, label, start, error, onChange }: RichTextEditorProps) {
  const [pasteHint, setPasteHint] = useState('')
  const attributes = {
    id,
    role: 'textbox',
    class: 'manifesto editor-text',
    'aria-multiline': 'true',
    'aria-label': label,
    'aria-describedby': `${id}-dica ${id}-erro`,
    ...(error && { 'aria-invalid': 'true' }),
  }
  const editor = useEditor({
    extensions,
    content: contentOf(start),
    // The rules are in our style sheet: the CSP forbids styles that a script inserts.
    injectCSS: false,
    editorProps: {
      attributes,
      transformPastedHTML: cleanPasted,
      handlePaste(_view, { clipboardData }) {
        const isImage = Boolean(clipboardData?.files.length) && !clipboardData?.types.includes('text/html')
        setPasteHint(isImage ? 'Imagens não são coladas: use o botão Imagem.' : '')
        return isImage
      },
    },
    onCreate: ({ editor }) => {
      normalizedStart.current = tidyHtml(editor.getHTML())
    },
    onUpdate: ({ editor }) => {
      const html = tidyHtml(editor.getHTML())
      // A different notation alone is no change: it would create a new version without an edit.
      onChange(html === normalizedStart.current ? start : html)
    },
  })
  const [normalizedStart] = useState({ current: '' })

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the error changes
  useEffect(() => {
    editor.setOptions({ editorProps: { ...editor.options.editorProps, attributes } })
  }, [error])

  return (
    <div className="editor" data-invalid={error ? true : undefined}>
      <Toolbar editor={editor} label={`Formatação: ${label}`} controls={id} />
      <EditorContent editor={editor} />
      <p className="hint" role="status">
        {pasteHint}
      </p>
    </div>
  )
}

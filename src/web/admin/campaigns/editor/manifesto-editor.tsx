// The manifesto's editor. Loaded only where somebody writes one: it weighs as much as the rest of the area.
import { EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useState } from 'react'
import { extensions } from '#web/admin/campaigns/editor/extensions.ts'
import { contentOf, tidyHtml } from '#web/admin/campaigns/editor/html.ts'
import { cleanPasted } from '#web/admin/campaigns/editor/pasted.ts'
import { Toolbar } from '#web/admin/campaigns/editor/toolbar.tsx'
import './manifesto-editor.css'

export interface ManifestoEditorProps {
  /** Of the text, and the beginning of those of its hint and its error. */
  id: string
  label: string
  start: string
  error: string | undefined
  onChange(html: string): void
}

export default function ManifestoEditor({ id, label, start, error, onChange }: ManifestoEditorProps) {
  const [told, setTold] = useState('')
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
    // Its rules are in our sheet: the area's policy admits none that a script writes.
    injectCSS: false,
    editorProps: {
      attributes,
      transformPastedHTML: cleanPasted,
      handlePaste(_view, { clipboardData }) {
        const isPicture = Boolean(clipboardData?.files.length) && !clipboardData?.types.includes('text/html')
        setTold(isPicture ? 'Imagens não são coladas: use o botão Imagem.' : '')
        return isPicture
      },
    },
    onCreate: ({ editor }) => {
      asOpened.current = tidyHtml(editor.getHTML())
    },
    onUpdate: ({ editor }) => {
      const html = tidyHtml(editor.getHTML())
      // What is only written in another way is no change: it would become a version that nobody wrote.
      onChange(html === asOpened.current ? start : html)
    },
  })
  const [asOpened] = useState({ current: '' })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the error is all that changes
  useEffect(() => {
    editor.setOptions({ editorProps: { ...editor.options.editorProps, attributes } })
  }, [error])

  return (
    <div className="editor" data-invalid={error ? true : undefined}>
      <Toolbar editor={editor} controls={id} />
      <EditorContent editor={editor} />
      <p className="hint" role="status">
        {told}
      </p>
    </div>
  )
}

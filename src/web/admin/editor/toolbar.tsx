// Toolbar of the editor: one tab stop, arrow keys inside, as the ARIA toolbar pattern requires.
import { type Editor, useEditorState } from '@tiptap/react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { ImageDialog } from '#web/admin/editor/image-dialog.tsx'
import { LinkDialog } from '#web/admin/editor/link-dialog.tsx'

interface Tool {
  name: string
  content: ReactNode
  /** Whether the selection has this format. Absent for tools that only run an action. */
  isOn?(editor: Editor): boolean
  can?(editor: Editor): boolean
  use(editor: Editor): void
}

const heading = (level: 2 | 3 | 4, content: string): Tool => ({
  name: `${content} (nível ${level})`,
  content,
  isOn: (editor) => editor.isActive('heading', { level }),
  use: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
})

const groups: Tool[][] = [
  [heading(2, 'Título'), heading(3, 'Subtítulo'), heading(4, 'Tópico')],
  [
    {
      name: 'Negrito',
      content: <b>Negrito</b>,
      isOn: (editor) => editor.isActive('bold'),
      use: (editor) => editor.chain().focus().toggleBold().run(),
    },
    {
      name: 'Itálico',
      content: <i>Itálico</i>,
      isOn: (editor) => editor.isActive('italic'),
      use: (editor) => editor.chain().focus().toggleItalic().run(),
    },
    {
      name: 'Sublinhado',
      content: <u>Sublinhado</u>,
      isOn: (editor) => editor.isActive('underline'),
      use: (editor) => editor.chain().focus().toggleUnderline().run(),
    },
    {
      name: 'Riscado',
      content: <s>Riscado</s>,
      isOn: (editor) => editor.isActive('strike'),
      use: (editor) => editor.chain().focus().toggleStrike().run(),
    },
  ],
  [
    {
      name: 'Lista',
      content: 'Lista',
      isOn: (editor) => editor.isActive('bulletList'),
      use: (editor) => editor.chain().focus().toggleBulletList().run(),
    },
    {
      name: 'Lista numerada',
      content: 'Lista numerada',
      isOn: (editor) => editor.isActive('orderedList'),
      use: (editor) => editor.chain().focus().toggleOrderedList().run(),
    },
    {
      name: 'Citação',
      content: 'Citação',
      isOn: (editor) => editor.isActive('blockquote'),
      use: (editor) => editor.chain().focus().toggleBlockquote().run(),
    },
    {
      name: 'Linha divisória',
      content: 'Linha divisória',
      use: (editor) => editor.chain().focus().setHorizontalRule().run(),
    },
  ],
]

const history: Tool[] = [
  {
    name: 'Desfazer',
    content: 'Desfazer',
    can: (editor) => editor.can().undo(),
    use: (editor) => editor.chain().focus().undo().run(),
  },
  {
    name: 'Refazer',
    content: 'Refazer',
    can: (editor) => editor.can().redo(),
    use: (editor) => editor.chain().focus().redo().run(),
  },
]

interface ToolbarProps {
  editor: Editor
  label: string
  /** Id of the text box. */
  controls: string
}

export function Toolbar({ editor, label, controls }: ToolbarProps) {
  const [open, setOpen] = useState<'link' | 'image'>()
  const [current, setCurrent] = useState('Título (nível 2)')
  const bar = useRef<HTMLDivElement>(null)
  const inserting: Tool[] = [
    { name: 'Link', content: 'Link', isOn: () => editor.isActive('link'), use: () => setOpen('link') },
    { name: 'Imagem', content: 'Imagem', use: () => setOpen('image') },
  ]
  const all = [...groups, inserting, history]
  // Renders again only when the state of a button changes.
  const state = useEditorState({
    editor,
    selector: () =>
      Object.fromEntries(
        all.flat().map(({ name, isOn, can }) => [name, { on: isOn?.(editor), off: can ? !can(editor) : false }]),
      ),
  })

  function move(event: KeyboardEvent): void {
    // The dialogs are portals: their key events bubble to the toolbar in React.
    if (!bar.current?.contains(event.target as Node)) return
    const buttons = [...bar.current.querySelectorAll('button')]
    const index = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const nextIndex = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (nextIndex === undefined) return
    event.preventDefault()
    buttons[(nextIndex + buttons.length) % buttons.length]?.focus()
  }

  return (
    <div
      className="editor-tools"
      role="toolbar"
      aria-label={label}
      aria-controls={controls}
      tabIndex={-1}
      ref={bar}
      onKeyDown={move}
    >
      {all.map((tools) => (
        <div className="editor-group" key={tools[0]?.name}>
          {tools.map(({ name, content, isOn, use }) => (
            <button
              key={name}
              type="button"
              title={name}
              aria-label={name}
              aria-pressed={isOn && Boolean(state[name]?.on)}
              aria-disabled={state[name]?.off || undefined}
              tabIndex={name === current ? 0 : -1}
              onFocus={() => setCurrent(name)}
              onClick={() => use(editor)}
            >
              {content}
            </button>
          ))}
        </div>
      ))}
      {/* Outside the form of the editor: their fields do not belong to it. */}
      {open === 'link' &&
        createPortal(<LinkDialog editor={editor} onClose={() => setOpen(undefined)} />, document.body)}
      {open === 'image' &&
        createPortal(<ImageDialog editor={editor} onClose={() => setOpen(undefined)} />, document.body)}
    </div>
  )
}

// Fields of the settings form. Each is bound to a path, and disabled with the reason if the server locks it.
import type { ComponentProps, ReactNode } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { type SitePath, siteLabels, valueAt } from '#contract/admin/site.ts'
import type { SiteEditor } from '#web/admin/site/use-site-form.ts'

interface SettingFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  editor: SiteEditor
  path: SitePath
  hint?: string
  /** Converts what is typed. */
  clean?(value: string): string
}

export function SettingField({ editor, path, hint, clean = (value) => value, ...input }: SettingFieldProps) {
  const isLocked = editor.isLocked(path)
  return (
    <div className="field">
      <label htmlFor={path}>{siteLabels[path]}</label>
      <input
        {...input}
        {...describedBy(editor, path, hint)}
        id={path}
        value={String(valueAt(editor.settings, path) ?? '')}
        disabled={isLocked}
        onChange={({ currentTarget }) => editor.set(path, clean(currentTarget.value))}
      />
      <FieldNotes editor={editor} path={path} hint={hint} />
    </div>
  )
}

export function describedBy(editor: SiteEditor, path: string, hint?: string) {
  const error = editor.errors[path]
  const notes = [error && `${path}-erro`, hint && `${path}-dica`, editor.isLocked(path) && `${path}-travado`]
  return { 'aria-invalid': error ? true : undefined, 'aria-describedby': notes.filter(Boolean).join(' ') || undefined }
}

interface FieldNotesProps {
  editor: SiteEditor
  path: string
  hint?: ReactNode
}

/** The hint, the error and the lock of a field. */
export function FieldNotes({ editor, path, hint }: FieldNotesProps) {
  const error = editor.errors[path]
  return (
    <>
      {hint && (
        <p className="hint" id={`${path}-dica`}>
          {hint}
        </p>
      )}
      {editor.isLocked(path) && (
        <p className="hint setting-locked" id={`${path}-travado`}>
          {adminMessages.site.locked}.
        </p>
      )}
      {error && (
        <p className="error" id={`${path}-erro`}>
          {error}
        </p>
      )}
    </>
  )
}

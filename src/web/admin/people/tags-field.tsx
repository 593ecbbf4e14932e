// Tags as removable labels, and a field with suggestions that adds one.
import { useId, useState } from 'react'
import { maxTagLength, maxTags, tagField } from '#contract/admin/people-workflow.ts'
import '#web/forms/fields/field.css'

interface TagsFieldProps {
  label: string
  /** What the button does with the typed tag. */
  action?: 'Incluir' | 'Tirar'
  tags: string[]
  suggestions: string[]
  disabled?: boolean
  /** Leaving the field adds the typed tag: there is no step that could ask for it. */
  addsOnBlur?: boolean
  onChange(tags: string[]): void
  /** Whether a tag is typed but not added yet. */
  onTyping?(isTyping: boolean): void
}

export function TagsField({
  label,
  action = 'Incluir',
  tags,
  suggestions,
  disabled,
  addsOnBlur,
  onChange,
  onTyping,
}: TagsFieldProps) {
  const id = useId()
  const [typed, setTypedText] = useState('')
  const [problem, setProblem] = useState('')
  const isFull = tags.length >= maxTags

  function setTyped(text: string): void {
    setTypedText(text)
    onTyping?.(text.trim() !== '')
  }

  function add(): void {
    if (!typed.trim()) return
    const parsed = tagField().safeParse(typed)
    setProblem(parsed.error?.issues[0]?.message ?? '')
    if (!parsed.success) return
    setTyped('')
    if (!tags.includes(parsed.data)) onChange([...tags, parsed.data])
  }

  return (
    <div className="field tags-field">
      <label htmlFor={id}>{label}</label>
      {tags.length > 0 && (
        <ul className="tag-list">
          {tags.map((tag) => (
            <li key={tag} className="tag">
              <span>{tag}</span>
              <button
                type="button"
                disabled={disabled}
                aria-label={action === 'Tirar' ? `Não tirar a etiqueta ${tag}` : `Tirar a etiqueta ${tag}`}
                onClick={() => onChange(tags.filter((other) => other !== tag))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="tag-entry">
        <input
          id={id}
          list={`${id}-sugestoes`}
          value={typed}
          maxLength={maxTagLength}
          disabled={disabled || isFull}
          autoComplete="off"
          placeholder={isFull ? 'No máximo 20' : action === 'Tirar' ? 'Etiqueta' : 'Nova etiqueta'}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-erro` : undefined}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={() => addsOnBlur && add()}
          // No form of its own: the field may be part of one.
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            add()
          }}
        />
        <button type="button" className="button small" disabled={disabled || isFull || !typed.trim()} onClick={add}>
          {action}
        </button>
      </div>
      <datalist id={`${id}-sugestoes`}>
        {suggestions
          .filter((tag) => !tags.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
      {problem && (
        <p id={`${id}-erro`} className="error">
          {problem}
        </p>
      )}
    </div>
  )
}

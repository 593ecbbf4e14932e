// Fields of the forms without scripts of this page. Those of the other forms are not used: the bundler would then split
// the scripts of petition pages into more files.
import type { ComponentProps, ReactNode } from 'react'
import { messages } from '#contract/messages.ts'
import type { ReturnedForm } from '#contract/page.ts'
import { usePageContext } from '#web/api/page-context.ts'
import '#web/forms/fields/field.css'

interface FieldTexts {
  name: string
  label: string
  hint?: string
}

/** What was sent if the form was refused, else what is stored. */
function initialValue(form: ReturnedForm | undefined, name: string, stored = ''): string {
  const value = form?.values[name] ?? stored
  return typeof value === 'string' ? value : ''
}

function attributesOf({ name, hint }: FieldTexts, error: string | undefined) {
  const descriptions = [error && `${name}-erro`, hint && `${name}-dica`].filter(Boolean).join(' ')
  return { id: name, name, 'aria-invalid': error ? true : undefined, 'aria-describedby': descriptions || undefined }
}

type PlainFieldProps = FieldTexts & { stored?: string } & Omit<ComponentProps<'input'>, 'form' | 'name'>

export function PlainField({ name, label, hint, stored, ...input }: PlainFieldProps) {
  const { form } = usePageContext()
  const error = form?.errors[name]
  const texts = { name, label, ...(hint && { hint }) }
  return (
    <LabelledField {...texts} error={error} required={input.required}>
      <input defaultValue={initialValue(form, name, stored)} {...input} {...attributesOf(texts, error)} />
    </LabelledField>
  )
}

type PlainSelectProps = FieldTexts & { stored?: string } & Omit<ComponentProps<'select'>, 'form' | 'name'>

export function PlainSelect({ name, label, stored, children, ...select }: PlainSelectProps) {
  const { form } = usePageContext()
  const error = form?.errors[name]
  const texts = { name, label }
  return (
    <LabelledField {...texts} error={error} required={select.required}>
      <select defaultValue={initialValue(form, name, stored)} {...select} {...attributesOf(texts, error)}>
        {children}
      </select>
    </LabelledField>
  )
}

export function PlainCheck({ name, label }: FieldTexts) {
  const error = usePageContext().form?.errors[name]
  return (
    <>
      <label className="check">
        <input type="checkbox" required {...attributesOf({ name, label }, error)} />
        <span>
          {label}
          <span aria-hidden="true"> *</span>
        </span>
      </label>
      <FieldError name={name} error={error} />
    </>
  )
}

/** Above the fields: the message of a refusal, with a link to each invalid field. */
export function FormRefusal({ labels = {} }: { labels?: Record<string, string> }) {
  const { form } = usePageContext()
  if (!form) return null
  const invalid = Object.keys(labels).filter((name) => form.errors[name])
  return (
    <div className="problems" role="alert">
      <p>{invalid.length === 0 ? form.message : messages.form.check}</p>
      {invalid.length > 0 && (
        <ul>
          {invalid.map((name) => (
            <li key={name}>
              <a href={`#${name}`}>
                {labels[name]}: {form.errors[name]}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface LabelledFieldProps extends FieldTexts {
  error: string | undefined
  required: boolean | undefined
  children: ReactNode
}

function LabelledField({ name, label, hint, error, required, children }: LabelledFieldProps) {
  return (
    <div className="field">
      <label htmlFor={name}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {children}
      {hint && (
        <p className="hint" id={`${name}-dica`}>
          {hint}
        </p>
      )}
      <FieldError name={name} error={error} />
    </div>
  )
}

function FieldError({ name, error }: { name: string; error: string | undefined }) {
  if (!error) return null
  return (
    <p className="error" id={`${name}-erro`}>
      {error}
    </p>
  )
}

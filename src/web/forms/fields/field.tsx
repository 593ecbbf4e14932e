// Labelled form fields; hints and errors are linked to the field for screen readers.
import type { ComponentProps, ReactNode, SelectHTMLAttributes } from 'react'
import { messages } from '#contract/messages.ts'
import type { FieldState, Submission } from '#web/forms/submission/use-submission.ts'
import './field.css'

export interface FieldProps {
  form: FieldState
  name: string
  label: string
  hint?: string
}

type InputProps = FieldProps & Omit<ComponentProps<'input'>, 'form' | 'name'>
type SelectProps = FieldProps & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'form' | 'name'>

/** The children are placed between the input and its hint. */
export function TextField({ form, name, label, hint, children, ...input }: InputProps) {
  return (
    <LabelledField form={form} name={name} label={label} hint={hint} required={input.required}>
      <input
        defaultValue={form.initial(name)}
        {...input}
        {...fieldAttributes(form, name, hint, input['aria-describedby'])}
      />
      {children}
    </LabelledField>
  )
}

export function SelectField({ form, name, label, hint, children, ...select }: SelectProps) {
  return (
    <LabelledField form={form} name={name} label={label} hint={hint} required={select.required}>
      {/* Without a default value React keeps an option that was chosen before hydration. */}
      <select defaultValue={form.initial(name) || undefined} {...select} {...fieldAttributes(form, name, hint)}>
        {children}
      </select>
    </LabelledField>
  )
}

export function CheckField({ form, name, label, required }: FieldProps & { required?: boolean }) {
  const error = form.errors[name]
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          {...fieldAttributes(form, name, undefined)}
          required={required}
          defaultChecked={form.initial(name) !== ''}
        />
        <span>
          {label}
          {required && <span aria-hidden="true"> *</span>}
        </span>
      </label>
      {error && (
        <p className="error" id={`${name}-erro`}>
          {error}
        </p>
      )}
    </>
  )
}

/** Invisible and not in the tab order: only robots fill it in. */
export function Honeypot() {
  return (
    <div className="honeypot" aria-hidden="true">
      <label>
        Não preencha este campo
        <input name="honeypot" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}

/** Adds the label, unless the error text begins with it. */
const withLabel = (label = '', error = '') =>
  error.startsWith(label.replace('-', '').split(' ')[0] as string) ? error : `${label}: ${error}`.replace('?:', '?')

/** Summary of all errors; each one links to its field. */
export function FormProblems({
  form,
  labels,
}: {
  form: Pick<Submission, 'errors' | 'message' | 'step'>
  labels: Record<string, string>
}) {
  const invalid = Object.keys(labels).filter((name) => form.errors[name])
  return (
    <div className="problems" role="alert">
      {form.message && invalid.length === 0 && form.step !== 'sending' && <p tabIndex={-1}>{form.message}</p>}
      {invalid.length > 0 && (
        <>
          <p>{messages.form.check}</p>
          <ul>
            {invalid.map((name) => (
              <li key={name}>
                <a href={`#${name}`}>{withLabel(labels[name], form.errors[name])}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

export function fieldAttributes(form: FieldState, name: string, hint: string | undefined, description?: string) {
  const invalid = Boolean(form.errors[name])
  const descriptions = [invalid && `${name}-erro`, hint && `${name}-dica`, description].filter(Boolean).join(' ')
  return {
    id: name,
    name,
    'aria-invalid': invalid || undefined,
    'aria-describedby': descriptions || undefined,
  }
}

interface LabelledFieldProps {
  form: FieldState
  name: string
  label: string
  hint: string | undefined
  required: boolean | undefined
  children: ReactNode
}

export function LabelledField({ form, name, label, hint, required, children }: LabelledFieldProps) {
  const error = form.errors[name]
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
      {error && (
        <p className="error" id={`${name}-erro`}>
          {error}
        </p>
      )}
    </div>
  )
}

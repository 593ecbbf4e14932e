// A labelled field with its error beside it, tied together for those who do not see them.
import type { ComponentProps, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { messages } from '#contract/messages.ts'
import type { Form } from '#web/forms/use-form.ts'
import './field.css'

/** What a field must know of its form. */
export type FieldState = Pick<Form, 'errors' | 'initial' | 'chosen'>

export interface Named {
  form: FieldState
  name: string
  label: string
  hint?: string
}

type InputProps = Named & Omit<ComponentProps<'input'>, 'form' | 'name'>
type AreaProps = Named & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'form' | 'name'>
type SelectProps = Named & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'form' | 'name'>

/** What stands between the field and its hint comes as children. */
export function TextField({ form, name, label, hint, children, ...input }: InputProps) {
  return (
    <Labelled form={form} name={name} label={label} hint={hint} required={input.required}>
      <input {...input} {...tie(form, name, hint, input['aria-describedby'])} defaultValue={form.initial(name)} />
      {children}
    </Labelled>
  )
}

export function SelectField({ form, name, label, hint, children, ...select }: SelectProps) {
  return (
    <Labelled form={form} name={name} label={label} hint={hint} required={select.required}>
      {/* With no default, React leaves alone what was chosen before it arrived. */}
      <select {...select} {...tie(form, name, hint)} defaultValue={form.initial(name) || undefined}>
        {children}
      </select>
    </Labelled>
  )
}

export function LongTextField({ form, name, label, hint, ...area }: AreaProps) {
  return (
    <Labelled form={form} name={name} label={label} hint={hint} required={area.required}>
      <textarea rows={4} {...area} {...tie(form, name, hint)} defaultValue={form.initial(name)} />
    </Labelled>
  )
}

export function CheckField({ form, name, label, required }: Named & { required?: boolean }) {
  const error = form.errors[name]
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          {...tie(form, name, undefined)}
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

/** Out of sight and out of the tab order: only robots fill it. */
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

/** One sentence: what happened to the whole form, else the first thing that is wrong. */
export function FormBanner({ form, order }: { form: Pick<Form, 'errors' | 'problem'>; order: readonly string[] }) {
  const wrong = order.find((name) => form.errors[name])
  const sentence = form.problem || (wrong && form.errors[wrong])
  return (
    <div className="problems" role="alert">
      {sentence && <p tabIndex={-1}>{sentence}</p>}
    </div>
  )
}

/** The label is said where the sentence does not begin with it. */
const named = (label = '', sentence = '') =>
  sentence.startsWith(label.replace('-', '').split(' ')[0] as string)
    ? sentence
    : `${label}: ${sentence}`.replace('?:', '?')

/** Everything that is wrong, in one place, each line leading to its field. */
export function FormProblems({
  form,
  labels,
}: {
  form: Pick<Form, 'errors' | 'problem' | 'step'>
  labels: Record<string, string>
}) {
  const wrong = Object.keys(labels).filter((name) => form.errors[name])
  return (
    <div className="problems" role="alert">
      {form.problem && wrong.length === 0 && form.step !== 'sending' && <p tabIndex={-1}>{form.problem}</p>}
      {wrong.length > 0 && (
        <>
          <p>{messages.form.check}</p>
          <ul>
            {wrong.map((name) => (
              <li key={name}>
                <a href={`#${name}`}>{named(labels[name], form.errors[name])}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function tie(form: FieldState, name: string, hint: string | undefined, more?: string) {
  const wrong = Boolean(form.errors[name])
  const described = [wrong && `${name}-erro`, hint && `${name}-dica`, more].filter(Boolean).join(' ')
  return {
    id: name,
    name,
    'aria-invalid': wrong || undefined,
    'aria-describedby': described || undefined,
  }
}

interface LabelledProps {
  form: FieldState
  name: string
  label: string
  hint: string | undefined
  required: boolean | undefined
  children: ReactNode
}

function Labelled({ form, name, label, hint, required, children }: LabelledProps) {
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

// In its own file, because petitions load field.tsx but have no such field.
import type { FieldProps } from '#web/forms/fields/field.tsx'
import './choices-field.css'

/** A group of checkboxes with at least one answer. The keys of `options` are sent, the values are the labels. */
export function ChoicesField({ form, name, label, options }: FieldProps & { options: Record<string, string> }) {
  const error = form.errors[name]
  return (
    <fieldset className="choices" id={name} aria-describedby={error && `${name}-erro`}>
      <legend>
        {label}
        <span aria-hidden="true"> *</span>
        {/* No single checkbox is required, so only this text tells screen readers that an answer is. */}
        <span className="hidden"> (obrigatório)</span>
      </legend>
      {Object.entries(options).map(([option, optionLabel]) => (
        <label className="check" key={option}>
          <input
            type="checkbox"
            name={name}
            value={option}
            defaultChecked={form.chosen(name, option)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error && `${name}-erro`}
          />
          <span>{optionLabel}</span>
        </label>
      ))}
      {error && (
        <p className="error" id={`${name}-erro`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

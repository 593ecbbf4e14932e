// A question with boxes to tick. Apart from the other fields, which petitions have: they ask none.
import type { Named } from '#web/forms/field.tsx'
import './choices-field.css'

/** A question of which one or more answers can be chosen. Options are what is sent, with the words for each. */
export function ChoicesField({ form, name, label, options }: Named & { options: Record<string, string> }) {
  const error = form.errors[name]
  return (
    <fieldset className="choices" id={name} aria-describedby={error && `${name}-erro`}>
      <legend>
        {label}
        <span aria-hidden="true"> *</span>
        {/* Of single boxes none is required, so that nothing else says it to those who do not see the star. */}
        <span className="hidden"> (obrigatório)</span>
      </legend>
      {Object.entries(options).map(([option, words]) => (
        <label className="check" key={option}>
          <input
            type="checkbox"
            name={name}
            value={option}
            defaultChecked={form.chosen(name, option)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error && `${name}-erro`}
          />
          <span>{words}</span>
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

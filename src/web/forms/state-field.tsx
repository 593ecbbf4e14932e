// The 27 states to choose from.
import { stateCodes, states } from '#contract/states.ts'
import { SelectField } from '#web/forms/field.tsx'
import type { Form } from '#web/forms/use-form.ts'

export function StateField({ form, label }: { form: Form; label: string }) {
  return (
    <SelectField form={form} name="estado" label={label} required autoComplete="address-level1">
      <option value="">UF</option>
      {stateCodes.map((code) => (
        <option key={code} value={code}>
          {`${code} · ${states[code]}`}
        </option>
      ))}
    </SelectField>
  )
}

import { stateCodes, states } from '#contract/states.ts'
import { SelectField } from '#web/forms/fields/field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

export function StateField({ form, label }: { form: FieldState; label: string }) {
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

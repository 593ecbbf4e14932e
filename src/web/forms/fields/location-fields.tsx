import { stateCodes, states } from '#contract/states.ts'
import { CityField } from '#web/forms/fields/city-field.tsx'
import { SelectField } from '#web/forms/fields/field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

/** State and city. */
export function LocationFields({ form, labels }: { form: FieldState; labels: { estado: string; cidade: string } }) {
  return (
    <div className="side-by-side">
      <SelectField form={form} name="estado" label={labels.estado} required autoComplete="address-level1">
        <option value="">UF</option>
        {stateCodes.map((code) => (
          <option key={code} value={code}>
            {`${code} · ${states[code]}`}
          </option>
        ))}
      </SelectField>
      <CityField form={form} label={labels.cidade} />
    </div>
  )
}

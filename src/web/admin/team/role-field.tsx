import { adminRoles, roleNames } from '#contract/admin/roles.ts'
import { SelectField } from '#web/forms/fields/field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

export function RoleField({ form }: { form: FieldState }) {
  return (
    <SelectField
      form={form}
      name="role"
      label="Papel"
      hint="A coordenação pode tudo. Conteúdo cuida de conteúdos, campanhas, novidades da página e números, e não vê dados de pessoas."
      required
    >
      {[...roleNames].reverse().map((role) => (
        <option key={role} value={role}>
          {adminRoles[role]}
        </option>
      ))}
    </SelectField>
  )
}

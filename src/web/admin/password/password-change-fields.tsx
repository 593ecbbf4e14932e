// The fields to change the own password: the current one, and the new one twice, which a button makes readable.
import { useState } from 'react'
import { changePassword } from '#contract/admin/team.ts'
import { readDevice } from '#web/admin/session/session.ts'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'

export function usePasswordChange(onChanged: (message: string) => void) {
  return useAdminForm({
    endpoint: changePassword,
    failed: 'Não foi possível trocar a senha.',
    prepare: (values) => ({ ...values, device: readDevice() }),
    onSent: ({ message }) => onChanged(message),
  })
}

interface PasswordChangeFieldsProps {
  form: ReturnType<typeof usePasswordChange>
  currentLabel: string
  hint: string
}

export function PasswordChangeFields({ form, currentLabel, hint }: PasswordChangeFieldsProps) {
  const [readable, setReadable] = useState(false)
  const labels = { current: currentLabel, password: 'Nova senha', repeated: 'Repita a nova senha' }
  const input = {
    type: readable ? 'text' : 'password',
    autoCapitalize: 'none',
    spellCheck: false,
    required: true,
  }
  return (
    <>
      <FormProblems form={form} labels={labels} />
      <TextField form={form} name="current" label={labels.current} autoComplete="current-password" {...input} />
      <TextField
        form={form}
        name="password"
        label={labels.password}
        hint={hint}
        autoComplete="new-password"
        {...input}
      />
      <TextField form={form} name="repeated" label={labels.repeated} autoComplete="new-password" {...input} />
      <p>
        <button type="button" className="button small" onClick={() => setReadable(!readable)}>
          {readable ? 'Ocultar senha' : 'Mostrar senha'}
        </button>
      </p>
    </>
  )
}

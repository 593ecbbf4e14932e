// Dialog for a new administrator, with a chosen password or a generated one, which is displayed once.
import { useState } from 'react'
import { createMember } from '#contract/admin/team.ts'
import { GeneratedPassword } from '#web/admin/team/generated-password.tsx'
import { RoleField } from '#web/admin/team/role-field.tsx'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'

interface NewMemberProps {
  onCreated(): void
  onClose(): void
}

const labels = { username: 'Usuário', email: 'E-mail', role: 'Papel', password: 'Senha' }

export function NewMember({ onCreated, onClose }: NewMemberProps) {
  const [generated, setGenerated] = useState<{ username: string; password: string }>()
  const form = useAdminForm({
    endpoint: createMember,
    name: 'administrador',
    initial: { role: 'conteudo' },
    failed: 'Não foi possível criar o administrador.',
    onSent({ message, password }, { username }) {
      onCreated()
      showToast({ title: 'Pronto', text: message, tone: 'success' })
      if (password) setGenerated({ username: String(username), password })
      else onClose()
    },
  })
  // Locked while sending: a closed dialog could not display the generated password.
  const sending = form.step === 'sending'
  if (generated) return <GeneratedPassword {...generated} onClose={onClose} />
  return (
    <Dialog title="Novo administrador" locked={sending} onClose={onClose}>
      <form {...form.attributes}>
        <FormProblems form={form} labels={labels} />
        <TextField
          form={form}
          name="username"
          label={labels.username}
          hint="Até 50 letras sem acento, números, ponto, hífen, sublinhado ou @."
          maxLength={50}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <TextField
          form={form}
          name="email"
          label={labels.email}
          type="email"
          maxLength={100}
          autoComplete="off"
          required
        />
        <RoleField form={form} />
        <TextField
          form={form}
          name="password"
          label={labels.password}
          hint="Pelo menos 10 caracteres. Em branco, fazemos uma senha e a mostramos uma única vez."
          type="password"
          autoComplete="new-password"
        />
        <div className="actions">
          <button type="button" className="button" disabled={sending} onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" disabled={sending}>
            {sending ? 'Criando...' : 'Criar'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

// A new administrator: with a password of the creator's choice, or one that is made and shown this once.
import { useState } from 'react'
import { createMember } from '#contract/admin/team.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/field.tsx'
import { showToast } from '#web/ui/toast.tsx'
import { useCopied } from '#web/ui/use-copied.ts'

interface NewMemberProps {
  onCreated(): void
  onClose(): void
}

const labels = { username: 'Usuário', email: 'E-mail', password: 'Senha' }

export function NewMember({ onCreated, onClose }: NewMemberProps) {
  const [made, setMade] = useState<{ username: string; password: string }>()
  const form = useAdminForm({
    endpoint: createMember,
    name: 'administrador',
    failed: 'Não foi possível criar o administrador.',
    onSent({ message, password }, { username }) {
      onCreated()
      showToast({ title: 'Pronto', text: message, tone: 'success' })
      if (password) setMade({ username: String(username), password })
      else onClose()
    },
  })
  if (made) return <MadePassword {...made} onClose={onClose} />
  return (
    <Dialog title="Novo administrador" onClose={onClose}>
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
        <TextField
          form={form}
          name="password"
          label={labels.password}
          hint="Pelo menos 10 caracteres. Em branco, fazemos uma senha e a mostramos uma única vez."
          type="password"
          autoComplete="new-password"
        />
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" disabled={form.step === 'sending'}>
            {form.step === 'sending' ? 'Criando...' : 'Criar'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function MadePassword({ username, password, onClose }: { username: string; password: string; onClose(): void }) {
  const [copied, markCopied] = useCopied()
  return (
    <Dialog title={`Senha de ${username}`} onClose={onClose}>
      <p>Passe esta senha à pessoa por um meio seguro. Ela não será mostrada de novo, e pode ser trocada em Equipe.</p>
      <p>
        <output className="made-password">{password}</output>
      </p>
      <div className="actions">
        {/* Without https there is no clipboard. */}
        {navigator.clipboard && (
          <button
            type="button"
            className="button"
            onClick={() => void navigator.clipboard.writeText(password).then(markCopied)}
          >
            {copied ? 'Copiada!' : 'Copiar'}
          </button>
        )}
        <button type="button" className="button button-yellow" onClick={onClose}>
          Já guardei
        </button>
      </div>
      <span className="hidden" role="status">
        {copied && 'Senha copiada'}
      </span>
    </Dialog>
  )
}

// Adds a passkey: asks for its name, and then the browser asks for the device.
import { useEffect } from 'react'
import { addPasskey, beginPasskeySetup, passkeyName } from '#contract/admin/passkeys.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { createPasskey } from '#web/admin/account/passkeys.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'
import type { FormValues } from '#web/forms/submission/form-values.ts'

interface PasskeySetupProps {
  onAdded(reply: ReplyOf<typeof addPasskey>): void
  onClose(): void
}

async function add(values: FormValues) {
  const { options } = await callAdmin(beginPasskeySetup)
  const body = { ...values, challenge: options.challenge, passkey: await createPasskey(options) }
  return callAdmin(addPasskey, { body })
}

export function PasskeySetup({ onAdded, onClose }: PasskeySetupProps) {
  const form = useAdminForm({
    endpoint: { ...addPasskey, body: passkeyName },
    failed: 'Não foi possível adicionar a chave. Tente de novo.',
    send: add,
    onSent: onAdded,
  })
  // The dialog focuses its first button.
  useEffect(() => document.getElementById('nome')?.focus(), [])
  const sending = form.step === 'sending'
  return (
    <Dialog title="Adicionar chave de acesso" locked={sending} onClose={onClose}>
      <form {...form.attributes}>
        <p>
          Dê um nome à chave. Depois, o navegador pergunta onde guardá-la: neste aparelho, no celular ou em uma chave de
          segurança USB ou NFC.
        </p>
        <FormProblems form={form} labels={{}} />
        <TextField
          form={form}
          name="nome"
          label="Nome da chave"
          hint="Para você reconhecê-la depois. Por exemplo: “Meu celular”."
          autoComplete="off"
          maxLength={60}
          required
        />
        <p role="status">{sending && 'Siga o que o navegador pede...'}</p>
        <div className="actions">
          <button type="button" className="button" disabled={sending} onClick={onClose}>
            Cancelar
          </button>
          <button type="submit" className="button button-yellow" disabled={sending}>
            {sending ? 'Adicionando...' : 'Continuar'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

// Connects an authenticator app: shows the QR code and the secret, and asks for a code before it counts.
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { beginAppSetup, confirmAppSetup } from '#contract/admin/second-factor.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { Copyable } from '#web/admin/ui/copyable.tsx'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { qrMatrix, qrPath } from '#web/admin/ui/qr-matrix.ts'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, TextField } from '#web/forms/fields/field.tsx'

const failed = 'Não foi possível continuar. Tente de novo.'

interface AppSetupProps {
  onTurnedOn(reply: ReplyOf<typeof confirmAppSetup>): void
  onClose(): void
}

export function AppSetup({ onTurnedOn, onClose }: AppSetupProps) {
  const setup = useMutation({ mutationFn: () => callAdmin(beginAppSetup) })
  // Once for each opening: every set-up has a secret of its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at the opening
  useEffect(() => setup.mutate(), [])
  const form = useAdminForm({ endpoint: confirmAppSetup, failed, onSent: onTurnedOn })
  const sending = form.step === 'sending'
  const { data } = setup
  return (
    <Dialog title="Ligar o aplicativo de códigos" locked={sending} onClose={onClose}>
      <form {...form.attributes}>
        <p role="status">{setup.isPending && 'Preparando...'}</p>
        {setup.isError && (
          <p role="alert" className="error">
            {errorMessage(setup.error, failed)}
          </p>
        )}
        {data && (
          <>
            <ol className="setup-steps">
              <li>
                No aplicativo, escolha adicionar uma conta e aponte a câmera para este código.
                <QrImage address={data.address} />
              </li>
              <li>
                Está no próprio celular? <a href={data.address}>Abra no aplicativo</a>, ou digite nele esta chave.
                <Copyable label="Chave" text={data.secret} />
              </li>
              <li>Digite aqui os 6 números que o aplicativo mostra.</li>
            </ol>
            <FormProblems form={form} labels={{}} />
            <TextField
              form={form}
              name="code"
              label="Código do aplicativo"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={10}
              required
            />
          </>
        )}
        <div className="actions">
          <button type="button" className="button" disabled={sending} onClick={onClose}>
            Cancelar
          </button>
          {data && (
            <button type="submit" className="button button-yellow" disabled={sending}>
              {sending ? 'Ligando...' : 'Ligar'}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function QrImage({ address }: { address: string }) {
  const matrix = qrMatrix(address)
  return (
    <svg className="setup-qr" viewBox={`0 0 ${matrix.size} ${matrix.size}`} role="img" aria-label="Código QR da chave">
      <path d={qrPath(matrix)} />
    </svg>
  )
}

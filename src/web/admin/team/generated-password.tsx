// Displays a generated password once. The dialog stays open until it is copied or confirmed as noted down.
import { useId, useRef, useState } from 'react'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { copyOrSelect } from '#web/ui/copy-or-select.ts'
import { useCopied } from '#web/ui/use-copied.ts'

interface GeneratedPasswordProps {
  username: string
  password: string
  onClose(): void
}

export function GeneratedPassword({ username, password, onClose }: GeneratedPasswordProps) {
  const [copied, markCopied] = useCopied()
  const [wasCopied, setWasCopied] = useState(false)
  const passwordElement = useRef<HTMLElement>(null)
  const descriptionId = useId()

  function handleCopy(): void {
    setWasCopied(true)
    markCopied()
  }

  async function copy(): Promise<void> {
    if (await copyOrSelect(password, passwordElement.current)) handleCopy()
  }

  return (
    <Dialog title={`Senha de ${username}`} locked={!wasCopied} describedBy={descriptionId} onClose={onClose}>
      <div id={descriptionId}>
        <p>
          Passe esta senha à pessoa por um meio seguro. Ela não será mostrada de novo, e só serve para o primeiro
          acesso: ao entrar, a pessoa escolhe a senha dela.
        </p>
        <p>
          <strong ref={passwordElement} className="generated-password" onCopy={handleCopy}>
            {password}
          </strong>
        </p>
      </div>
      <div className="actions">
        <button type="button" className="button" onClick={() => void copy()}>
          {copied ? 'Copiada!' : 'Copiar'}
        </button>
        <button type="button" className="button button-yellow" onClick={onClose}>
          Já anotei
        </button>
      </div>
      <span className="hidden" role="status">
        {copied && 'Senha copiada'}
      </span>
    </Dialog>
  )
}

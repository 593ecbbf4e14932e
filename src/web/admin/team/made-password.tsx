// A password that is shown this once: it stays until it was copied, or somebody says that it was noted down.
import { useId, useRef, useState } from 'react'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { copyOrSelect } from '#web/ui/copy-or-select.ts'
import { useCopied } from '#web/ui/use-copied.ts'

interface MadePasswordProps {
  username: string
  password: string
  onClose(): void
}

export function MadePassword({ username, password, onClose }: MadePasswordProps) {
  const [copied, markCopied] = useCopied()
  const [taken, setTaken] = useState(false)
  const shown = useRef<HTMLElement>(null)
  const text = useId()

  function take(): void {
    setTaken(true)
    markCopied()
  }

  async function copy(): Promise<void> {
    if (await copyOrSelect(password, shown.current)) take()
  }

  return (
    <Dialog title={`Senha de ${username}`} held={!taken} describedBy={text} onClose={onClose}>
      <div id={text}>
        <p>
          Passe esta senha à pessoa por um meio seguro. Ela não será mostrada de novo, e pode ser trocada em Equipe.
        </p>
        <p>
          <strong ref={shown} className="made-password" onCopy={take}>
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

// Displays recovery codes once. The dialog stays open until they are saved or confirmed as noted down.
import { useRef, useState } from 'react'
import { currentUser } from '#web/admin/session/session.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { download } from '#web/admin/ui/download.ts'
import { site } from '#web/admin/ui/site.ts'
import { copyOrSelect } from '#web/ui/copy-or-select.ts'
import { useCopied } from '#web/ui/use-copied.ts'

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const [copied, markCopied] = useCopied()
  const [isSaved, setSaved] = useState(false)
  const list = useRef<HTMLUListElement>(null)

  async function copy(): Promise<void> {
    if (!(await copyOrSelect(codes.join('\n'), list.current))) return
    setSaved(true)
    markCopied()
  }

  function save(): void {
    setSaved(true)
    const head = `Códigos de recuperação de ${currentUser()}, ${site.movimento}. Cada um vale uma vez.`
    download('codigos-de-recuperacao.txt', new Blob([`${head}\n\n${codes.join('\n')}\n`], { type: 'text/plain' }))
  }

  return (
    <Dialog title="Códigos de recuperação" locked={!isSaved} onClose={onClose}>
      <p>
        Se o celular ou a chave se perder, cada um destes códigos serve uma vez como segunda etapa. Guarde-os em papel
        ou em um gerenciador de senhas, longe do celular. Eles não serão mostrados de novo.
      </p>
      <ul ref={list} className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="actions">
        <button type="button" className="button" onClick={() => void copy()}>
          {copied ? 'Copiados!' : 'Copiar'}
        </button>
        <button type="button" className="button" onClick={save}>
          Baixar
        </button>
        <button type="button" className="button button-yellow" onClick={onClose}>
          Já guardei
        </button>
      </div>
      <span className="hidden" role="status">
        {copied && 'Códigos copiados'}
      </span>
    </Dialog>
  )
}

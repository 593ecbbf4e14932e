// Registration form of an external service. No request is sent to it before the visitor opens it.
import { useEffect, useRef, useState } from 'react'
import { useHydrated } from '#web/ui/use-hydrated.ts'

const loadTimeoutMs = 8_000

type Step = 'closed' | 'loading' | 'late' | 'loaded'

export function RegistrationFrame({ address }: { address: string }) {
  const hydrated = useHydrated()
  const [step, setStep] = useState<Step>('closed')
  const frame = useRef<HTMLIFrameElement>(null)
  const opened = step !== 'closed'

  useEffect(() => {
    if (!opened) return
    frame.current?.focus()
    // A frame that fails to load sends no event. After this time it counts as failed, until it loads after all.
    const timer = setTimeout(() => setStep((current) => (current === 'loading' ? 'late' : current)), loadTimeoutMs)
    return () => clearTimeout(timer)
  }, [opened])

  return (
    <section className="card registration" id="cadastro" aria-labelledby="cadastro-titulo">
      <h2 id="cadastro-titulo">Faça seu cadastro</h2>
      <p>
        O formulário é de um serviço externo ({new URL(address).host}). Ele só é carregado se você abrir, e lá valem as
        regras dele.
      </p>
      {hydrated && !opened && (
        <p>
          <button className="button button-sign" type="button" onClick={() => setStep('loading')}>
            Abrir o formulário aqui
          </button>
        </p>
      )}
      <p>
        {hydrated && !opened && 'Ou, se preferir, '}
        <a className="registration-link" href={address} target="_blank" rel="noopener noreferrer">
          abrir o formulário em uma nova aba
        </a>
      </p>
      <div role="status">
        {step === 'loading' && <p>Carregando o formulário…</p>}
        {step === 'late' && (
          <p className="registration-late">
            O formulário não carregou aqui. Use o link acima para abrir o formulário em uma nova aba.
          </p>
        )}
      </div>
      {opened && (
        <iframe
          ref={frame}
          src={address}
          title="Formulário de cadastro da comunidade"
          sandbox="allow-forms allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          onLoad={() => setStep('loaded')}
        />
      )}
    </section>
  )
}

// The form that signs a petition or a campaign, with its thank-you view.
import { useEffect, useRef, useState } from 'react'
import { type Endpoint, fillPath, type PathParams } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { useVisit } from '#web/api/visit.ts'
import { CityField } from '#web/forms/city-field.tsx'
import { Consent } from '#web/forms/consent.tsx'
import { EmailField } from '#web/forms/email-field.tsx'
import { CheckField, FormProblems, Honeypot, TextField } from '#web/forms/field.tsx'
import { begunIn, type FormValues } from '#web/forms/form-values.ts'
import type { KeptRequest } from '#web/forms/keep-if-left.ts'
import { KeptQuestion, KeptSignature } from '#web/forms/kept-signature.tsx'
import { PhoneField } from '#web/forms/phone-field.tsx'
import { StateField } from '#web/forms/state-field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { sendLater } from '#web/offline/call-worker.ts'
import { dropSignature, keepSignature, keptSignatures, markSent, sendKept } from '#web/offline/kept-signatures.ts'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { ShareLinks } from '#web/ui/share-links.tsx'
import { showToast } from '#web/ui/toast.tsx'
import { useArrivalFocus } from '#web/ui/use-alive.ts'
import './form-card.css'

interface SignatureFormProps {
  endpoint: Endpoint
  params?: PathParams
  share: { text: string; url: string }
  /** The version of the manifesto that stands beside the form. */
  versaoManifesto: number
  onSigned(): void
}

const labels = {
  nome: 'Nome completo',
  email: 'E-mail',
  whatsapp: 'WhatsApp',
  estado: 'Estado',
  cidade: 'Cidade',
  redesSociais: 'Redes sociais (opcional)',
}

/** Somebody else may be writing by now, on the phone of who left it. A tab that the browser brings back has its owner's words. */
function isTaken(form: HTMLFormElement | null, { body }: KeptRequest): boolean {
  const begun = begunIn(form)
  const { email } = body as FormValues
  return begun.length > 0 && !begun.some(({ name, value }) => name === 'email' && value === email)
}

/** Also for when nobody comes back: the worker is asked to send it. */
async function keep(request: KeptRequest): Promise<void> {
  await keepSignature(request)
  void sendLater()
}

const sendOthers = () => void sendKept().catch(() => {})

export function SignatureForm({ endpoint, params, share, versaoManifesto, onSigned }: SignatureFormProps) {
  const form = useForm({
    endpoint,
    ...(params && { params }),
    anchor: 'assinar',
    failed: messages.petition.failed,
    onSent(reply) {
      const { message } = reply as { message?: string }
      showToast({ title: messages.toast.success, text: message || messages.petition.signedFallback, tone: 'success' })
      onSigned()
      // The server answers: what waits for it, perhaps of somebody before on this phone, gets through too.
      sendOthers()
    },
    keep,
    markSent,
    drop: dropSignature,
    onFailed: (text) => showToast({ title: messages.toast.error, text, tone: 'error' }),
  })

  const [found, setFound] = useState<KeptRequest>()

  // Somebody who left before the network was back finds what they left. Others may use the same phone: only who has typed the
  // same address is not asked whose it is.
  const path = fillPath(endpoint.path, params)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes alive
  useEffect(() => {
    keptSignatures().then(
      (all) => {
        const mine = all.find((kept) => kept.path === path)
        const element = form.attributes.ref.current
        if (mine && !isTaken(element, mine)) {
          if (begunIn(element).length > 0) return form.resume(mine)
          setFound(mine)
        }
        // Whoever is at the form now hears nothing of it.
        if (all.length > 0) sendOthers()
      },
      // No storage, nothing kept.
      () => {},
    )
  }, [])

  // While one of this page is shown as waiting, what shows it sends the others too.
  useEffect(() => {
    if (form.step === 'kept') return
    addEventListener('online', sendOthers)
    return () => removeEventListener('online', sendOthers)
  }, [form.step])

  function leave(): void {
    setFound(undefined)
    form.startAgain()
  }

  /** The worker may be sending it at this moment; what it said is gone in any case. */
  function remove(request: KeptRequest): void {
    void dropSignature(request).catch(() => {})
    leave()
  }

  if (found && form.step === 'editing')
    return (
      <KeptQuestion
        email={(found.body as FormValues | null)?.email}
        onYes={() => {
          setFound(undefined)
          form.resume(found)
        }}
        onNo={leave}
        onDelete={() => remove(found)}
      />
    )

  if (form.step === 'kept' && form.kept)
    return (
      <KeptSignature
        requestId={form.kept.requestId}
        onRefused={form.giveBack}
        onAnother={form.startAgain}
        onDelete={() => form.kept && remove(form.kept)}
        onSent={() => {
          showToast({ title: messages.offline.sent, text: messages.petition.signed, tone: 'success' })
          form.finish()
          onSigned()
        }}
      />
    )
  if (form.step === 'sent') return <ThankYou share={share} onSignAgain={form.startAgain} />

  const sending = form.step === 'sending'
  return (
    <section className="card" id="assinar" aria-labelledby="assinar-titulo">
      <h2 id="assinar-titulo">Assine agora</h2>
      <p className="required-note">Leva menos de um minuto. Campos com * são obrigatórios.</p>
      <form {...form.attributes}>
        <FormProblems form={form} labels={labels} />
        <TextField form={form} name="nome" label={labels.nome} required autoComplete="name" autoCapitalize="words" />
        <EmailField form={form} label={labels.email} />
        <PhoneField form={form} label={labels.whatsapp} placeholder="(11) 90000-0000" />
        <div className="side-by-side">
          <StateField form={form} label={labels.estado} />
          <CityField form={form} label={labels.cidade} />
        </div>
        <TextField
          form={form}
          name="redesSociais"
          label={labels.redesSociais}
          placeholder="@seuperfil"
          autoComplete="off"
        />
        <Honeypot />
        <input type="hidden" name="versaoManifesto" value={versaoManifesto} />
        <CheckField form={form} name="aceitaNovidades" label="Quero receber novidades da campanha" />
        <button className="button button-sign" type="submit" disabled={sending}>
          {sending ? 'Enviando...' : 'Assinar a petição'}
        </button>
        {/* Beside the button, where the eyes are while it waits. */}
        <p className="waiting" role="status">
          {sending && form.problem}
        </p>
        <Consent>Ao assinar, você aceita que a gente guarde seus dados para esta petição, como explica a</Consent>
      </form>
    </section>
  )
}

function ThankYou({ share, onSignAgain }: { share: SignatureFormProps['share']; onSignAgain(): void }) {
  const { site, path, framed } = useVisit()
  const heading = useRef<HTMLHeadingElement>(null)
  useArrivalFocus(heading)
  return (
    <section className="card thank-you" id="assinar" aria-labelledby="obrigado-titulo">
      <p className="stamp" aria-hidden="true">
        Assinado
      </p>
      <h2 id="obrigado-titulo" ref={heading} tabIndex={-1}>
        Obrigado! Sua voz conta
      </h2>
      <p>{messages.petition.emailComing}</p>
      <p>Agora faça ela valer por dez: mande a petição para os seus grupos.</p>
      <ShareLinks label="Compartilhar a petição" framed={framed} {...share} />
      <a className="button button-paper" href={site.grupos.geral} target="_blank" rel="noopener noreferrer">
        <WhatsAppIcon /> Entre no grupo do WhatsApp
      </a>
      {/* A link, so that it also works for who signed without JavaScript. */}
      <a
        className="button again"
        href={`${path}#assinar`}
        onClick={(event) => {
          event.preventDefault()
          onSignAgain()
        }}
      >
        Assinar novamente com outro e-mail
      </a>
    </section>
  )
}

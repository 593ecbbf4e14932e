// Form for signing a petition or campaign, with its thank-you view.
import { useEffect, useRef, useState } from 'react'
import type { Campaign } from '#contract/campaigns.ts'
import { type Endpoint, fillPath, type PathParams } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { shareText } from '#contract/share.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { AlsoSign } from '#web/forms/also-sign.ts'
import { Consent } from '#web/forms/fields/consent.tsx'
import { EmailField } from '#web/forms/fields/email-field.tsx'
import { CheckField, FormProblems, Honeypot, TextField } from '#web/forms/fields/field.tsx'
import { LocationFields } from '#web/forms/fields/location-fields.tsx'
import { PhoneField } from '#web/forms/fields/phone-field.tsx'
import { KeptQuestion, KeptSignature } from '#web/forms/kept-signature.tsx'
import { editedFields, type FormValues } from '#web/forms/submission/form-values.ts'
import type { KeptRequest } from '#web/forms/submission/keep-when-hidden.ts'
import { useForm } from '#web/forms/submission/use-form.ts'
import { dropSignature, keepSignature, keptSignatures, markSent, sendKept } from '#web/offline/kept-signatures.ts'
import { requestBackgroundSync } from '#web/offline/register-worker.ts'
import { WhatsAppIcon } from '#web/ui/icons.tsx'
import { ShareKit } from '#web/ui/share-kit.tsx'
import { showToast } from '#web/ui/toast.tsx'
import { useFocusOnMount } from '#web/ui/use-hydrated.ts'
import './form-card.css'

interface SignatureFormProps {
  endpoint: Endpoint
  params?: PathParams
  campaign: Campaign
  /** Full URL of the campaign page. */
  url: string
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

/** Whether another person has begun to fill in the form. A tab that the browser restored has the owner's address. */
function isUsedByAnother(form: HTMLFormElement | null, { body }: KeptRequest): boolean {
  const edited = editedFields(form)
  const { email } = body as FormValues
  return edited.length > 0 && !edited.some(({ name, value }) => name === 'email' && value === email)
}

/** Also requests a background sync: the user may never come back. */
async function keep(request: KeptRequest): Promise<void> {
  await keepSignature(request)
  void requestBackgroundSync()
}

const sendAllKept = () => void sendKept().catch(() => {})

export function SignatureForm({ endpoint, params, campaign, url, onSigned }: SignatureFormProps) {
  const [uf, setUf] = useState('')
  const [hasEnded, setEnded] = useState(false)
  const form = useForm({
    endpoint,
    ...(params && { params }),
    anchor: 'assinar',
    failed: messages.petition.failed,
    onSent(reply, values) {
      setUf(String(values.estado))
      const { message } = reply as { message?: string }
      showToast({ title: messages.toast.success, text: message || messages.petition.signedFallback, tone: 'success' })
      onSigned()
      // The server is reachable: kept signatures, perhaps of an earlier user of this device, can be sent too.
      sendAllKept()
    },
    keep,
    markSent,
    drop: dropSignature,
    // Trying again, as the toast suggests, would not help.
    onFailed: (text, code) =>
      code === 'campaign-closed' ? setEnded(true) : showToast({ title: messages.toast.error, text, tone: 'error' }),
  })

  const [found, setFound] = useState<KeptRequest>()

  // Offers a signature that an earlier visit has kept. Other people may use the same device, so the user is asked whose
  // it is, unless the same e-mail address is already in the form.
  const path = fillPath(endpoint.path, params)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after hydration
  useEffect(() => {
    keptSignatures().then(
      (all) => {
        const match = all.find((kept) => kept.path === path)
        const element = form.attributes.ref.current
        if (match && !isUsedByAnother(element, match)) {
          if (editedFields(element).length > 0) return form.resume(match)
          setFound(match)
        }
        // Without a message: the current user may be another person.
        if (all.length > 0) sendAllKept()
      },
      // Without storage nothing is kept.
      () => {},
    )
  }, [])

  // In the step `kept`, KeptSignature sends all kept signatures.
  useEffect(() => {
    if (form.step === 'kept') return
    addEventListener('online', sendAllKept)
    return () => removeEventListener('online', sendAllKept)
  }, [form.step])

  function reset(): void {
    setFound(undefined)
    form.startAgain()
  }

  /** The worker may be sending it right now. Its data is deleted from the device in any case. */
  function remove(request: KeptRequest): void {
    void dropSignature(request).catch(() => {})
    reset()
  }

  if (found && form.step === 'editing')
    return (
      <KeptQuestion
        email={(found.body as FormValues | null)?.email}
        onYes={() => {
          setFound(undefined)
          form.resume(found)
        }}
        onNo={reset}
        onDelete={() => remove(found)}
      />
    )

  if (form.step === 'kept' && form.kept)
    return (
      <KeptSignature
        requestId={form.kept.requestId}
        onRefused={form.reopen}
        onAnother={form.startAgain}
        onDelete={() => form.kept && remove(form.kept)}
        onSent={() => {
          showToast({ title: messages.offline.sent, text: messages.petition.signed, tone: 'success' })
          setUf(String((form.kept?.body as FormValues | undefined)?.estado ?? ''))
          form.dispatch({ step: 'sent' })
          onSigned()
        }}
      />
    )
  if (form.step === 'sent') return <ThankYou campaign={campaign} url={url} uf={uf} onSignAgain={form.startAgain} />

  const sending = form.step === 'sending'
  return (
    <section className="card" id="assinar" aria-labelledby="assinar-titulo">
      <h2 id="assinar-titulo">Assine agora</h2>
      <p className="required-note">Leva menos de um minuto. Campos com * são obrigatórios.</p>
      <form {...form.attributes}>
        <FormProblems form={form} labels={labels} />
        {/* The page itself, which shows the result by now. */}
        {hasEnded && (
          <a className="button submit" href="?">
            Ver o resultado
          </a>
        )}
        <TextField form={form} name="nome" label={labels.nome} required autoComplete="name" autoCapitalize="words" />
        <EmailField form={form} label={labels.email} />
        <PhoneField form={form} label={labels.whatsapp} placeholder="(11) 90000-0000" />
        <LocationFields form={form} labels={labels} />
        <TextField
          form={form}
          name="redesSociais"
          label={labels.redesSociais}
          placeholder="@seuperfil"
          autoComplete="off"
        />
        <Honeypot />
        <input type="hidden" name="versaoManifesto" value={campaign.versaoManifesto} />
        <CheckField form={form} name="aceitaNovidades" label="Quero receber novidades da campanha" />
        <button className="button button-sign submit" type="submit" disabled={sending}>
          {sending ? 'Enviando...' : 'Assinar a petição'}
        </button>
        {/* Beside the button, where the user looks while waiting. */}
        <p className="waiting" role="status">
          {sending && form.message}
        </p>
        <Consent>Ao assinar, você aceita que a gente guarde seus dados para esta petição, como explica a</Consent>
      </form>
    </section>
  )
}

interface ThankYouProps extends Pick<SignatureFormProps, 'campaign' | 'url'> {
  /** Empty if the page was opened with the thank-you view. */
  uf: string
  onSignAgain(): void
}

function ThankYou({ campaign, url, uf, onSignAgain }: ThankYouProps) {
  const { path, framed } = usePageContext()
  // The server chooses the group of the campaign, of the state or of everybody.
  const groupLink = `/grupo/${campaign.slug}${uf ? `?uf=${uf}` : ''}`
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnMount(heading)
  return (
    <section className="card thank-you" id="assinar" aria-labelledby="obrigado-titulo">
      <p className="stamp" aria-hidden="true">
        Assinado
      </p>
      <h2 id="obrigado-titulo" ref={heading} tabIndex={-1}>
        Obrigado! Sua voz conta
      </h2>
      <p>{campaign.countingMode === 'confirmed' ? messages.petition.confirmToCount : messages.petition.emailComing}</p>
      <p>Agora faça ela valer por dez: mande a petição para os seus grupos.</p>
      <ShareKit
        place="share-thanks"
        label="Compartilhar a petição"
        url={url}
        textFor={(channel) => shareText(campaign, channel)}
        framed={framed}
      />
      <a className="button button-paper" href={groupLink} target="_blank" rel="noopener noreferrer">
        <WhatsAppIcon /> Entre no grupo do WhatsApp
      </a>
      {/* In other sites the frame stays about this petition. */}
      {!framed && <AlsoSign place="also-sign" signed={campaign.slug} />}
      {/* A link, so that it also works without JavaScript. */}
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

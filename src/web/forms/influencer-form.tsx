// Influencer application: shows a toast, then opens the influencers' thank-you page.
import { useEffect } from 'react'
import {
  applicationMessages,
  applyAsInfluencer,
  influencerTasks,
  influencerThanksPath,
} from '#contract/applications.ts'
import { messages } from '#contract/messages.ts'
import { ChoicesField } from '#web/forms/fields/choices-field.tsx'
import { Consent } from '#web/forms/fields/consent.tsx'
import { EmailField } from '#web/forms/fields/email-field.tsx'
import { CheckField, FormProblems, Honeypot, TextField } from '#web/forms/fields/field.tsx'
import { LocationFields } from '#web/forms/fields/location-fields.tsx'
import { withNationalDigits } from '#web/forms/fields/phone.ts'
import { PhoneField } from '#web/forms/fields/phone-field.tsx'
import { useForm } from '#web/forms/submission/use-form.ts'
import { showToast } from '#web/ui/toast.tsx'
import './form-card.css'

const redirectMs = 1_000

const labels = {
  name: 'Nome completo',
  email: 'E-mail',
  whatsapp: 'WhatsApp',
  estado: 'Estado',
  cidade: 'Cidade',
  redesSociais: 'Suas redes sociais',
  tasks: 'Como você quer participar?',
}
const tasks = Object.fromEntries(influencerTasks.map((task) => [task, task]))

export function InfluencerForm() {
  const form = useForm({
    endpoint: applyAsInfluencer,
    anchor: 'inscricao',
    lists: ['tasks'],
    prepare: withNationalDigits,
    failed: applicationMessages.influencer.failed,
    onSent() {
      showToast({ title: messages.toast.success, text: applicationMessages.influencer.applied, tone: 'success' })
      setTimeout(() => location.assign(influencerThanksPath), redirectMs)
    },
    onFailed: (text) => showToast({ title: messages.toast.error, text, tone: 'error' }),
  })
  const busy = form.step !== 'editing'

  // Browsers restore the page as it was when the user goes back: with the sent values and a disabled button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the restored page has the same form
  useEffect(() => {
    if (form.step !== 'sent') return
    function resetForm({ persisted }: PageTransitionEvent): void {
      if (!persisted) return
      form.attributes.ref.current?.reset()
      form.startAgain()
    }
    addEventListener('pageshow', resetForm)
    return () => removeEventListener('pageshow', resetForm)
  }, [form.step])
  return (
    <section className="card" id="inscricao" aria-labelledby="inscricao-titulo">
      <h2 id="inscricao-titulo">Faça sua inscrição</h2>
      <p className="required-note">Campos com * são obrigatórios.</p>
      <form {...form.attributes}>
        <FormProblems form={form} labels={labels} />
        <TextField form={form} name="name" label={labels.name} required autoComplete="name" autoCapitalize="words" />
        <EmailField form={form} label={labels.email} />
        <PhoneField form={form} label={labels.whatsapp} hint="Com o DDD, por exemplo 11900000000" />
        <LocationFields form={form} labels={labels} />
        <TextField
          form={form}
          name="redesSociais"
          label={labels.redesSociais}
          hint="Perfis ou endereços, separados por vírgula"
          required
          autoComplete="off"
        />
        <ChoicesField form={form} name="tasks" label={labels.tasks} options={tasks} />
        <Honeypot />
        <CheckField form={form} name="aceitaNovidades" label="Quero receber novidades do movimento" />
        <button className="button button-sign submit" type="submit" disabled={busy}>
          {busy ? 'Enviando...' : 'Quero ser influenciador'}
        </button>
        <Consent>
          Ao se inscrever, você aceita que a gente guarde seus dados para falar com você sobre o movimento, como explica
          a
        </Consent>
      </form>
    </section>
  )
}

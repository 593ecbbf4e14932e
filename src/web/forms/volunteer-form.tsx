// The form that signs up a volunteer, and the thanks that lead to the right group.
import { useState } from 'react'
import { contactSchema, createsContent, signUp, volunteerMessages, volunteerTasks } from '#contract/contacts.ts'
import { ChoicesField } from '#web/forms/choices-field.tsx'
import { Consent } from '#web/forms/consent.tsx'
import { EmailField } from '#web/forms/email-field.tsx'
import { CheckField, FormBanner, Honeypot, TextField } from '#web/forms/field.tsx'
import type { FormValues } from '#web/forms/form-values.ts'
import { nationalDigits } from '#web/forms/phone.ts'
import { PhoneField } from '#web/forms/phone-field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { VolunteerThanks } from '#web/forms/volunteer-thanks.tsx'
import './form-card.css'
import './volunteer-form.css'

export const volunteerAnchor = 'time-lula'

const tasks = Object.fromEntries(Object.values(volunteerTasks).map((task) => [task, task]))
const order = Object.keys(contactSchema.shape)

const prepare = (values: FormValues) => ({ ...values, whatsapp: nationalDigits(String(values.whatsapp ?? '')) })

export function VolunteerForm() {
  const [isCreator, setIsCreator] = useState(false)
  const form = useForm({
    endpoint: signUp,
    anchor: volunteerAnchor,
    lists: ['tasks'],
    prepare,
    failed: volunteerMessages.failed,
    onSent: (_, sent) => setIsCreator(createsContent(sent.tasks)),
  })

  if (form.step === 'sent')
    return (
      <VolunteerThanks
        anchor={volunteerAnchor}
        isCreator={isCreator || form.thanked === 'criadores'}
        onStartAgain={form.startAgain}
      />
    )

  const sending = form.step === 'sending'
  return (
    <section className="card volunteer" id={volunteerAnchor} aria-labelledby="cadastro-titulo">
      <h2 id="cadastro-titulo">Entre para o time</h2>
      <p className="required-note">É de graça e leva menos de um minuto. Campos com * são obrigatórios.</p>
      <form {...form.attributes}>
        <TextField form={form} name="name" label="Nome" required autoComplete="name" autoCapitalize="words" />
        <EmailField form={form} label="E-mail" />
        <PhoneField form={form} label="WhatsApp" hint="Com o DDD, por exemplo 11900000000" />
        <ChoicesField form={form} name="tasks" label="Como você quer ajudar?" options={tasks} />
        <Honeypot />
        <CheckField form={form} name="aceitaNovidades" label="Quero receber novidades do movimento" />
        {/* Beside the button: after a failed sending this is where the eyes are. */}
        <FormBanner form={form} order={order} />
        <button className="button button-sign" type="submit" disabled={sending}>
          {sending ? 'ENVIANDO...' : 'QUERO PARTICIPAR'}
        </button>
        <Consent>
          Ao se cadastrar, você aceita que a gente guarde seus dados para falar com você sobre o movimento, como explica
          a
        </Consent>
      </form>
    </section>
  )
}

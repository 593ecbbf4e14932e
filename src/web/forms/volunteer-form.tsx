// Volunteer sign-up form. Its thank-you view links to the group of the chosen task.
import { useState } from 'react'
import { contactSchema, createsContent, signUp, volunteerMessages, volunteerTasks } from '#contract/contacts.ts'
import { ChoicesField } from '#web/forms/fields/choices-field.tsx'
import { Consent } from '#web/forms/fields/consent.tsx'
import { EmailField } from '#web/forms/fields/email-field.tsx'
import { CheckField, Honeypot, TextField } from '#web/forms/fields/field.tsx'
import { FormBanner } from '#web/forms/fields/form-banner.tsx'
import { withNationalDigits } from '#web/forms/fields/phone.ts'
import { PhoneField } from '#web/forms/fields/phone-field.tsx'
import { useForm } from '#web/forms/submission/use-form.ts'
import { VolunteerThanks } from '#web/forms/volunteer-thanks.tsx'
import './form-card.css'
import './volunteer-form.css'

export const volunteerAnchor = 'time-lula'

const tasks = Object.fromEntries(Object.values(volunteerTasks).map((task) => [task, task]))
const order = Object.keys(contactSchema.shape)

export function VolunteerForm() {
  const [isCreator, setIsCreator] = useState(false)
  const form = useForm({
    endpoint: signUp,
    anchor: volunteerAnchor,
    lists: ['tasks'],
    prepare: withNationalDigits,
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
        {/* Beside the button, where the user looks after a failed submission. */}
        <FormBanner form={form} order={order} />
        <button className="button button-sign submit" type="submit" disabled={sending}>
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

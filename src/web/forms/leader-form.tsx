// Leader application: the longest form, so it has three sections.
import { useRef } from 'react'
import { applicationMessages, applyAsLeader, availabilities, genders } from '#contract/applications.ts'
import { messages } from '#contract/messages.ts'
import { asSentence } from '#contract/share.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { AlsoSign } from '#web/forms/also-sign.ts'
import { ChoicesField } from '#web/forms/fields/choices-field.tsx'
import { Consent } from '#web/forms/fields/consent.tsx'
import { CpfField } from '#web/forms/fields/cpf-field.tsx'
import { EmailField } from '#web/forms/fields/email-field.tsx'
import { CheckField, FormProblems, Honeypot, SelectField, TextField } from '#web/forms/fields/field.tsx'
import { LocationFields } from '#web/forms/fields/location-fields.tsx'
import { LongTextField } from '#web/forms/fields/long-text-field.tsx'
import { PhoneField } from '#web/forms/fields/phone-field.tsx'
import { useForm } from '#web/forms/submission/use-form.ts'
import { ShareKit } from '#web/ui/share-kit.tsx'
import { useFocusOnMount } from '#web/ui/use-hydrated.ts'
import './form-card.css'

const labels = {
  nome: 'Nome completo',
  email: 'E-mail',
  whatsapp: 'WhatsApp',
  cpf: 'CPF',
  nascimento: 'Data de nascimento',
  genero: 'Gênero',
  profissao: 'Profissão',
  endereco: 'Endereço',
  estado: 'Estado',
  cidade: 'Cidade',
  cep: 'CEP',
  experiencia: 'Experiência com mobilização (opcional)',
  motivacao: 'Por que você quer ser líder?',
  disponibilidade: 'Quando você pode participar?',
  redes_sociais: 'Redes sociais (opcional)',
  aceita_termos: 'Li e aceito que meus dados sejam usados para avaliar esta candidatura',
}

export function LeaderForm() {
  const form = useForm({
    endpoint: applyAsLeader,
    anchor: 'candidatura',
    lists: ['disponibilidade'],
    failed: applicationMessages.leader.failed,
    onSent() {},
    onFailed: (text) => alert(text),
  })
  if (form.step === 'sent') return <Applied />
  const sending = form.step === 'sending'
  return (
    <section className="card" id="candidatura" aria-labelledby="candidatura-titulo">
      <h2 id="candidatura-titulo">Sua candidatura</h2>
      <p className="required-note">Campos com * são obrigatórios.</p>
      <form {...form.attributes}>
        <FormProblems form={form} labels={labels} />
        <h3>Quem é você</h3>
        <TextField form={form} name="nome" label={labels.nome} required autoComplete="name" autoCapitalize="words" />
        <EmailField form={form} label={labels.email} />
        <PhoneField form={form} label={labels.whatsapp} />
        <CpfField form={form} label={labels.cpf} />
        <TextField
          form={form}
          name="nascimento"
          label={labels.nascimento}
          required
          type="date"
          // With limits the browser moves on after four digits of the year; without them it expects six.
          min="1900-01-01"
          max="2099-12-31"
          autoComplete="bday"
          hint="Só maiores de 18 anos podem ser líderes"
        />
        <SelectField form={form} name="genero" label={labels.genero} required autoComplete="sex">
          <option value="">Escolha</option>
          {Object.entries(genders).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField form={form} name="profissao" label={labels.profissao} required autoComplete="organization-title" />
        <h3>Onde você está</h3>
        <TextField form={form} name="endereco" label={labels.endereco} required autoComplete="address-line1" />
        <LocationFields form={form} labels={labels} />
        <TextField form={form} name="cep" label={labels.cep} required inputMode="numeric" autoComplete="postal-code" />
        <h3>Como você quer liderar</h3>
        <LongTextField form={form} name="motivacao" label={labels.motivacao} required />
        <LongTextField form={form} name="experiencia" label={labels.experiencia} />
        <ChoicesField form={form} name="disponibilidade" label={labels.disponibilidade} options={availabilities} />
        <TextField form={form} name="redes_sociais" label={labels.redes_sociais} autoComplete="off" />
        <Honeypot />
        <CheckField form={form} name="aceita_termos" label={labels.aceita_termos} required />
        <CheckField form={form} name="aceitaNovidades" label="Quero receber novidades do movimento" />
        <button className="button button-sign submit" type="submit" disabled={sending}>
          {sending ? 'Enviando...' : 'Enviar candidatura'}
        </button>
        <Consent>O que guardamos e por quê está na</Consent>
      </form>
    </section>
  )
}

function Applied() {
  const { site, publicUrl, path } = usePageContext()
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnMount(heading)
  return (
    <section className="card thank-you" id="candidatura" aria-labelledby="candidatura-titulo">
      <p className="stamp" aria-hidden="true">
        Recebemos
      </p>
      <h2 id="candidatura-titulo" ref={heading} tabIndex={-1}>
        {applicationMessages.leader.applied}
      </h2>
      <p>Recebemos sua candidatura. A coordenação vai falar com você pelos contatos que deixou.</p>
      <p>{messages.form.emailComing}</p>
      <p>Conhece mais gente que toparia liderar? Chame.</p>
      <ShareKit
        place="share-thanks"
        label="Chamar mais líderes"
        url={`${publicUrl}${path}`}
        textFor={() => `${asSentence(`Quero ser líder no ${site.movimento}`)} Vem também!`}
      />
      <AlsoSign place="also-sign" />
      <a className="button button-paper" href="/">
        Voltar para o início
      </a>
    </section>
  )
}

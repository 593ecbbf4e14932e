// Applications of influencers (`/api/lideres`, as in the specification) and leaders (`/api/formulario-lideres`).
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { checkbox, email, honeypot, line, optionalLine, stateCode } from '#contract/fields.ts'
import {
  adultBirthDate,
  brazilianPhone,
  choices,
  longerFormMessages,
  optionalText,
  text,
} from '#contract/longer-form-fields.ts'
import { messages } from '#contract/messages.ts'
import { origin } from '#contract/origin.ts'
import { consentVersion } from '#contract/privacy.ts'

const fields = { ...messages.fields, ...longerFormMessages }

export const applicationMessages = {
  influencer: {
    applied: 'Sua inscrição como influenciador foi enviada com sucesso!',
    failed: 'Erro ao enviar inscrição. Tente novamente.',
  },
  leader: {
    applied: 'Cadastro Realizado com Sucesso!',
    failed: 'Erro ao enviar formulário. Tente novamente.',
    closed: 'O cadastro de líderes está fora do ar neste momento. Tente de novo mais tarde.',
  },
} as const

export const influencerTasks = [
  'ESPALHAR CONTEÚDO NAS REDES SOCIAIS',
  'CRIAR CONTEÚDO',
  'SER REPRESENTANTE OFICIAL NA MINHA CIDADE',
  'ORGANIZAR EVENTOS LOCAIS',
  'LIDERAR UMA EQUIPE REGIONAL',
] as const

export const influencerSchema = z.object({
  name: line({ min: 3, max: 200, short: fields.nome, long: fields.nomeLongo }),
  email: email(),
  whatsapp: brazilianPhone({ short: fields.whatsappMinimo, long: fields.whatsappMaximo }),
  cidade: line({ min: 2, max: 120, short: fields.cidadeMinima, long: fields.cidadeLonga }),
  estado: stateCode(),
  redesSociais: line({ min: 3, max: 500, short: fields.redesSociais, long: fields.redesSociaisLongo }),
  tasks: choices(influencerTasks, fields.tarefa),
  aceitaNovidades: checkbox(),
  versaoConsentimento: consentVersion(),
  origem: origin(),
  honeypot: honeypot(),
})

export type InfluencerApplication = z.output<typeof influencerSchema>

export const genders = {
  masculino: 'Masculino',
  feminino: 'Feminino',
  'nao-binario': 'Não-binário',
  'prefiro-nao-dizer': 'Prefiro não dizer',
} as const

export const availabilities = {
  manha: 'Manhã (8h às 12h)',
  tarde: 'Tarde (12h às 18h)',
  noite: 'Noite (18h às 22h)',
  'fins-de-semana': 'Fins de semana',
  feriados: 'Feriados',
  'eventos-especiais': 'Eventos especiais',
} as const

const required = (min: number, max: number, message: string) =>
  line({ min, max, short: message, long: fields.textoLongo })

export const leaderSchema = z.object({
  nome: required(2, 200, fields.nomeLider),
  email: email(),
  whatsapp: required(10, 25, fields.whatsappMinimo).check(z.regex(/^[\d\s()+./-]*$/, fields.whatsappFormato)),
  cpf: required(11, 20, fields.cpf).check(z.regex(/^[\d\s./-]*$/, fields.cpf)),
  nascimento: adultBirthDate({ invalid: fields.nascimento, minor: fields.menorDeIdade }),
  genero: z.enum(Object.keys(genders) as (keyof typeof genders)[], fields.genero),
  profissao: required(1, 120, fields.profissao),
  endereco: required(5, 300, fields.endereco),
  cidade: required(2, 120, fields.cidadeMinima),
  estado: stateCode(),
  cep: required(8, 10, fields.cep).check(z.regex(/^[\d.\s-]*$/, fields.cep)),
  experiencia: optionalText({ max: 3_000, long: fields.textoLongo }),
  motivacao: text({ min: 10, max: 3_000, short: fields.motivacao, long: fields.textoLongo }),
  disponibilidade: choices(Object.keys(availabilities) as (keyof typeof availabilities)[], fields.opcao),
  redes_sociais: optionalLine({ max: 500, long: fields.redesSociaisLongo }),
  aceita_termos: checkbox().check(z.refine((accepted) => accepted, fields.termos)),
  aceitaNovidades: checkbox(),
  versaoConsentimento: consentVersion(),
  origem: origin(),
  honeypot: honeypot(),
})

export type LeaderApplication = z.output<typeof leaderSchema>

const appliedReply = z.object({ success: z.boolean(), message: z.string() })

export const influencerThanksPath = '/obrigado-influenciadores'

export const applyAsInfluencer = endpoint({
  method: 'POST',
  path: '/api/lideres',
  access: 'anyone',
  body: influencerSchema,
  reply: appliedReply,
})

export const applyAsLeader = endpoint({
  method: 'POST',
  path: '/api/formulario-lideres',
  access: 'anyone',
  body: leaderSchema,
  reply: appliedReply,
})

// Valid payloads. A test states only the fields that matter to it. All people are fictional; their data is kept, so
// that a test can search logs for it.
const personalData: string[] = []
let created = 0

export interface SignatureFields {
  nome: string
  email: string
  whatsapp: string
  cidade: string
  estado: string
  redesSociais?: string
  honeypot?: string
  aceitaNovidades?: boolean
  origem?: string
}

export function aSignature(fields: Partial<SignatureFields> = {}): SignatureFields {
  created += 1
  const number = String(created).padStart(5, '0')
  const signature = {
    nome: `Fulana Fictícia ${number}`,
    email: `fulana.${number}.${process.pid}@example.org`,
    whatsapp: `(00) 9${number.slice(1)}-${number.slice(1)}`,
    cidade: 'Cidade Inventada',
    estado: 'SP',
    ...fields,
  }
  personalData.push(signature.nome, signature.email, signature.whatsapp)
  return signature
}

export interface ContactFields {
  name: string
  email: string
  whatsapp: string
  tasks: string[]
  honeypot?: string
  aceitaNovidades?: boolean
  origem?: string
}

export function aContact(fields: Partial<ContactFields> = {}): ContactFields {
  created += 1
  const number = String(created).padStart(5, '0')
  const contact = {
    name: `Beltrana Voluntária ${number}`,
    email: `beltrana.${number}.${process.pid}@example.org`,
    whatsapp: `009${number}${number.slice(2)}`,
    tasks: ['QUERO CRIAR CONTEÚDO'],
    honeypot: '',
    ...fields,
  }
  personalData.push(contact.name, contact.email, contact.whatsapp)
  return contact
}

export interface InfluencerFields {
  name: string
  email: string
  whatsapp: string
  cidade: string
  estado: string
  redesSociais: string
  tasks: string[]
  honeypot?: string
  aceitaNovidades?: boolean
  origem?: string
}

export function anInfluencer(fields: Partial<InfluencerFields> = {}): InfluencerFields {
  created += 1
  const number = String(created).padStart(5, '0')
  const influencer = {
    name: `Sicrana Influente ${number}`,
    email: `sicrana.${number}.${process.pid}@example.org`,
    whatsapp: `009${number}${number.slice(2)}`,
    cidade: 'Cidade Inventada',
    estado: 'SP',
    redesSociais: `@sicrana.influente.${number}`,
    tasks: ['CRIAR CONTEÚDO'],
    honeypot: '',
    ...fields,
  }
  personalData.push(influencer.name, influencer.email, influencer.whatsapp, influencer.redesSociais)
  return influencer
}

export interface LeaderFields {
  nome: string
  email: string
  whatsapp: string
  cpf: string
  nascimento: string
  genero: string
  profissao: string
  endereco: string
  cidade: string
  estado: string
  cep: string
  experiencia?: string
  motivacao: string
  disponibilidade: string[]
  redes_sociais?: string
  aceita_termos: boolean
  honeypot?: string
  aceitaNovidades?: boolean
  origem?: string
}

export function aLeader(fields: Partial<LeaderFields> = {}): LeaderFields {
  created += 1
  const number = String(created).padStart(5, '0')
  const leader = {
    nome: `Fulano Liderança ${number}`,
    email: `lider.${number}.${process.pid}@example.org`,
    whatsapp: `(00) 9${number.slice(1)}-${number.slice(1)}`,
    cpf: aCpf(created),
    nascimento: '1984-02-29',
    genero: 'prefiro-nao-dizer',
    profissao: 'Padeiro de ofício',
    endereco: `Rua Inventada do Exemplo, ${number}`,
    cidade: 'Cidade Inventada',
    estado: 'SP',
    cep: '00000-000',
    motivacao: `Quero ajudar a minha cidade ${number}`,
    disponibilidade: ['manha', 'fins-de-semana'],
    aceita_termos: true,
    ...fields,
  }
  const { nome, email, whatsapp, cpf, endereco, motivacao } = leader
  personalData.push(nome, email, whatsapp, cpf, cpf.replace(/\D/g, ''), endereco, motivacao)
  return leader
}

export interface ChatbotFields {
  subscriber_id: string | number
  nome?: string
  email?: string
  telefone?: string
  mensagem?: string
  [name: string]: unknown
}

/** A call of the chatbot, like the example in the admin area. */
export function aChatbotCall(fields: Partial<ChatbotFields> = {}): ChatbotFields {
  created += 1
  const number = String(created).padStart(5, '0')
  const call = {
    subscriber_id: `assinante-${number}-${process.pid}`,
    nome: `Sicrano Conversador ${number}`,
    email: `sicrano.${number}.${process.pid}@example.org`,
    telefone: `559990${number.slice(1)}${number.slice(1)}`,
    mensagem: `Mensagem fictícia ${number}`,
    ...fields,
  }
  personalData.push(...[call.nome, call.email, call.telefone, call.mensagem].filter((text) => typeof text === 'string'))
  return call
}

/** With valid check digits, computed in another way than the server does. */
function aCpf(number: number): string {
  const nine = `0000${String(number).padStart(5, '0')}`
  const checkDigit = (digits: string) => {
    const sum = [...digits].reverse().reduce((total, digit, index) => total + Number(digit) * (index + 2), 0)
    return sum % 11 < 2 ? 0 : 11 - (sum % 11)
  }
  const first = checkDigit(nine)
  const all = `${nine}${first}${checkDigit(nine + first)}`
  return all.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
}

/** Personal data of all people created so far. Short strings are left out: they could match by coincidence. */
export function personalStrings(): string[] {
  return personalData.filter((text) => text.length >= 10)
}

export interface CampaignFields {
  slug: string
  titulo: string
  manifestoHtml: string
  sheetTab: string
}

export function aCampaign(fields: object = {}): CampaignFields {
  created += 1
  return {
    slug: `campanha-inventada-${process.pid}-${created}`,
    titulo: `Campanha inventada ${created}`,
    manifestoHtml: '<p>Um texto de exemplo.</p>',
    sheetTab: `inventada-${created}`,
    ...fields,
  }
}

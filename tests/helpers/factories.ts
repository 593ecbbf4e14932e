// Valid things to send; a test states only what matters to it. Everybody is fictional, and remembered, so that logs can be searched for them.
const people: string[] = []
let made = 0

export interface SignatureFields {
  nome: string
  email: string
  whatsapp: string
  cidade: string
  estado: string
  redesSociais?: string
  honeypot?: string
  aceitaNovidades?: boolean
}

export function aSignature(fields: Partial<SignatureFields> = {}): SignatureFields {
  made += 1
  const number = String(made).padStart(5, '0')
  const signature = {
    nome: `Fulana Fictícia ${number}`,
    email: `fulana.${number}.${process.pid}@example.org`,
    whatsapp: `(00) 9${number.slice(1)}-${number.slice(1)}`,
    cidade: 'Cidade Inventada',
    estado: 'SP',
    ...fields,
  }
  people.push(signature.nome, signature.email, signature.whatsapp)
  return signature
}

/** Names, addresses and phones of everybody made so far, long enough to be no coincidence. */
export function personalStrings(): string[] {
  return people.filter((text) => text.length >= 10)
}

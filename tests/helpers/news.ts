// News for tests: people in any state, and a news item from the draft to the end of its sending.
import { expect } from 'vitest'
import type { SendProgress, StoredNews } from '#contract/admin/news.ts'
import type { PeopleKind } from '#contract/admin/people.ts'
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import { uuidV7 } from '#server/db/uuid-v7.ts'
import type { Administrator } from '#tests/helpers/administrator.ts'
import { aContact, aLeader, aSignature } from '#tests/helpers/factories.ts'
import type { TestSite } from '#tests/helpers/test-site.ts'

type Rows = Pick<TestSite, 'rows'>['rows']

interface PersonState {
  kind?: PeopleKind
  email?: string
  campanha?: string
  estado?: string
  cidade?: string
  origem?: string
  createdAt?: string
  acceptsNews?: boolean
  isConfirmed?: boolean
}

/** Stores a record directly, because a confirmation by e-mail link takes several requests. Returns its address and id. */
export async function addPerson(rows: Rows, state: PersonState = {}): Promise<{ id: string; email: string }> {
  const { kind = 'assinaturas', acceptsNews = true, isConfirmed = true, campanha = 'juros' } = state
  const id = uuidV7()
  const given = { assinaturas: aSignature, lideres: aLeader }[kind as 'assinaturas'] ?? aContact
  const email = state.email ?? given().email
  const common = {
    ...{ id, email, canonicalEmail: canonicalizeEmail(email), requestId: uuidV7() },
    ...{ aceitaNovidades: acceptsNews, versaoConsentimento: '2026-01-01', origem: state.origem ?? null },
    confirmadoEm: isConfirmed ? new Date() : null,
    createdAt: state.createdAt ?? new Date(),
  }
  const { estado = 'SP', cidade = 'São Paulo' } = state
  const own = {
    assinaturas: { campanha, nome: 'Maria Fictícia', whatsapp: '11900000000', cidade, estado },
    voluntarios: { name: 'Maria Fictícia', whatsapp: '11900000000' },
    influenciadores: { name: 'Maria Fictícia', whatsapp: '11900000000', cidade, estado, redesSociais: '@ficticia' },
    lideres: {
      ...{ nome: 'Maria Fictícia', whatsapp: '11900000000', cidade, estado, nascimento: '1990-01-01' },
      ...{ encryptedCpf: Buffer.alloc(28), cpfDigest: Buffer.alloc(32), cpfConfere: true, genero: 'feminino' },
      ...{ profissao: 'teste', endereco: 'Rua Fictícia', cep: '01000000', motivacao: 'teste', aceita_termos: true },
    },
  }[kind]
  const table = {
    assinaturas: 'peticoes',
    voluntarios: 'contacts',
    influenciadores: 'influenciadores',
    lideres: 'lideres',
  }[kind]
  const fields = { ...common, ...own }
  const names = Object.keys(fields)
  await rows(
    `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
    Object.values(fields),
  )
  return { id, email }
}

export async function campaignId(rows: Rows, slug = 'juros'): Promise<number> {
  const [row] = await rows<{ id: string }>('select id from campaigns where slug = $1', [slug])
  return Number(row?.id)
}

const segment = { tipos: ['assinaturas'] }

export const aNewsItem = (fields: object = {}) => ({
  titulo: 'Entregamos as assinaturas',
  html: '<p>Estivemos em Brasília.</p>',
  imagem: null,
  naPagina: true,
  porEmail: true,
  segmento: segment,
  ...fields,
})

/** A client of the endpoints of news. */
export function newsClient(admin: Administrator, rows: Rows) {
  const path = (id: number, rest = '') => `/api/admin/novidades/${id}${rest}`
  const client = {
    path,
    async create(fields: object = {}): Promise<StoredNews> {
      const body = { campanha: await campaignId(rows), ...aNewsItem(fields) }
      const { novidade } = await admin.ask<{ novidade: StoredNews }>('POST', '/api/admin/novidades', body)
      return novidade
    },
    async read(id: number): Promise<StoredNews> {
      return (await admin.ask<{ novidade: StoredNews }>('GET', path(id))).novidade
    },
    publish: ({ id, revisao }: StoredNews) =>
      admin.ask<{ novidade: StoredNews }>('POST', path(id, '/publicar'), { revisao }),
    async send(fields: object = {}): Promise<number> {
      const item = await client.create(fields)
      await client.publish(item)
      return item.id
    },
    async progress(id: number): Promise<SendProgress | null> {
      return (await admin.ask<{ envio: SendProgress | null }>('GET', path(id, '/envio'))).envio
    },
    async count(id: number): Promise<SendProgress> {
      await admin.ask('POST', path(id, '/contar'), {})
      return client.until(id, 'prepared')
    },
    /** Until no worker holds a delivery and none is due: what was being sent when the sending was paused has arrived. */
    async atRest(): Promise<void> {
      const active = `select 1 from outbox where kind = 'novidade' and ("leasedBy" is not null or "dueAt" <= now())`
      await expect.poll(() => rows(active), { timeout: 15_000 }).toEqual([])
    },
    /** Deliveries that a worker held while the sending was paused are due again after a minute, which passes at once here. */
    async resumeUntilDone(id: number, timeout = 15_000): Promise<SendProgress> {
      await admin.ask('POST', path(id, '/envio/retomar'), {})
      await expect
        .poll(
          async () => {
            await rows(`update outbox set "dueAt" = now()
              where kind = 'novidade' and "leasedBy" is null and not dead and "dueAt" > now() and "dueAt" < 'infinity'`)
            return (await client.progress(id))?.status
          },
          { timeout },
        )
        .toBe('done')
      return (await client.progress(id)) as SendProgress
    },
    async until(id: number, status: SendProgress['status'], timeout = 15_000): Promise<SendProgress> {
      await expect.poll(async () => (await client.progress(id))?.status, { timeout }).toBe(status)
      return (await client.progress(id)) as SendProgress
    },
  }
  return client
}

// The PDF for the delivery of a petition: what it contains, and what it never contains.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aCampaign, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { pdfText } from '#tests/helpers/pdf-text.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite({}, { periods: { breakdownPauseMs: 0 } })
  admin = await enter(site)
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const signers = [
  aSignature({ nome: 'Conceição Ñandú de Araújo', cidade: 'São Paulo', estado: 'SP' }),
  aSignature({ nome: 'Łukasz Ştefan 🎉 Fictício', cidade: 'São Paulo', estado: 'SP' }),
  aSignature({ nome: `Fulana ${'Comprida '.repeat(20)}Fictícia`.slice(0, 190), cidade: 'Salvador', estado: 'BA' }),
]

async function aSignedCampaign(): Promise<StoredCampaign> {
  const { campaign } = await admin.ask<{ campaign: StoredCampaign }>(
    'POST',
    '/api/admin/campaigns',
    aCampaign({
      titulo: 'Praça viva já',
      baseCount: 1_200,
      manifestoHtml: '<p>Sombra &amp; água</p><h2>Pedidos</h2><ol><li>Bancos</li><li>Árvores</li></ol>',
    }),
  )
  // A busy node does not know a new campaign for a moment. A filled honeypot stores nothing.
  const signing = `${site.url}/api/campaigns/${campaign.slug}/signatures`
  const probe = async () => (await postJson(signing, aSignature({ honeypot: 'x' }))).status
  await expect.poll(probe).toBe(201)
  for (const signer of signers) expect((await postJson(signing, signer)).status).toBe(201)
  return campaign
}

async function pdfOf(id: number, file: string): Promise<Buffer> {
  const answer = await admin.call('GET', `/api/admin/campaigns/${id}/${file}`)
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'application/pdf',
    'no-store',
  ])
  return Buffer.from(await answer.arrayBuffer())
}

const auditLog = () => site.rows('select action, target from admin_actions order by id')

test('the PDF has cover, manifesto and totals by state and city, and no personal data', async () => {
  const { id, slug } = await aSignedCampaign()
  await site.rows('delete from admin_actions')

  const pdf = await pdfOf(id, 'entrega.pdf')

  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.subarray(-6).toString()).toContain('%%EOF')
  const text = pdfText(pdf)
  for (const shown of [
    'PRAÇA VIVA JÁ',
    '1.203',
    '3 colhidas neste site e 1.200 colhidas fora dele (contagem inicial).',
    'Sombra & água',
    'Árvores',
    'São Paulo/SP',
    'Bahia',
    'Salvador/BA',
  ])
    expect(text).toContain(shown)
  expect(text).toMatch(/3 assinaturas colhidas neste site, contadas em \d\d\/\d\d\/\d{4} às \d\d:\d\d/)
  expect(text).not.toContain('Conceição')
  expect(text).not.toContain('@')
  expect(await auditLog()).toEqual([{ action: 'Baixou o PDF de entrega', target: slug }])
})

test('the list of names is a choice of its own in the audit log, with city and state, without e-mail and telephone', async () => {
  const { id, slug } = await aSignedCampaign()
  await site.rows('delete from admin_actions')

  const pdf = await pdfOf(id, 'entrega-com-nomes.pdf')

  const text = pdfText(pdf)
  expect(text).toContain('Conceição Ñandú de Araújo · São Paulo/SP')
  expect(text).toContain('Łukasz Ştefan  Fictício · São Paulo/SP')
  // A long name continues on the next line.
  expect(text.replaceAll('\n', ' ')).toContain(`${signers[2]?.nome} · Salvador/BA`)
  for (const { email, whatsapp } of signers) {
    expect(text).not.toContain(email)
    expect(text).not.toContain(whatsapp)
  }
  expect(text).not.toContain('@')
  expect(pdf.includes('@example.org')).toBe(false)
  expect(await auditLog()).toEqual([{ action: 'Baixou o PDF de entrega com a lista de nomes', target: slug }])
})

test('all names are in the list, in the order of the signatures, over several pages', async () => {
  const { id, slug } = await aSignedCampaign()
  await site.rows(
    `insert into peticoes (id, campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "requestId", "versaoConsentimento")
    select ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'Pessoa Fictícia ' || n, n || '@example.org',
      n || '@example.org', '00000000000', 'Cidade Inventada', 'SP', gen_random_uuid(), '1' from generate_series(1, 700) n`,
    [slug],
  )
  const text = pdfText(await pdfOf(id, 'entrega-com-nomes.pdf'))
  const listed = [...text.matchAll(/Pessoa Fictícia (\d+) · Cidade Inventada\/SP/g)].map(([, n]) => Number(n))
  expect(listed).toEqual(Array.from({ length: 700 }, (_, index) => index + 1))
})

test('without a session or a campaign there is no PDF', async () => {
  expect((await fetch(`${site.url}/api/admin/campaigns/1/entrega-com-nomes.pdf`)).status).toBe(401)
  expect((await admin.call('GET', '/api/admin/campaigns/99999/entrega.pdf')).status).toBe(404)
  expect((await admin.call('GET', '/api/admin/campaigns/x/entrega.pdf')).status).toBe(404)
  expect(await auditLog()).toEqual([])
})

// Time to erase everything about a person with fifty records, among a million signatures and as many e-mail links.
import type pg from 'pg'
import { addressHmacSql } from '#server/db/mailbox.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { type Measure, median } from './report.ts'
import type { Stage } from './stage.ts'
import { storeSignatures } from './stored-signatures.ts'

const password = 'senha-do-banco-de-provas'
const records = 50
const people = 5

const storeLinks = `
insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt")
select sha256(uuid_send(id)), 'descadastrar', ${addressHmacSql('"canonicalEmail"')}, id, now() + interval '1 day' from peticoes`

/** A signature in every campaign, and volunteers for the others, each with another tag. */
const storeSigned = `
with signed as (
  insert into peticoes (id, campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "requestId", "versaoConsentimento")
  select gen_random_uuid(), slug, 'Fulano', $1, $1, '(00) 00000-0000', 'Cidade', 'SP', gen_random_uuid(), '1' from campaigns
  returning campanha, estado, date_trunc('hour', "createdAt") as hora)
insert into signature_count_changes (campanha, estado, hora, n) select campanha, estado, hora, 1 from signed`
const storeVolunteers = `
insert into contacts (id, name, email, "canonicalEmail", whatsapp, "requestId", "versaoConsentimento")
select gen_random_uuid(), 'Fulano', $1 || '+' || n || '@example.org', $1 || '+' || n || '@example.org', '00000000000', gen_random_uuid(), '1'
from generate_series(1, ${records} - (select count(*) from campaigns)) n`

async function checkTotals(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select (select count(*) from peticoes)::int as stored, (select coalesce(sum(n), 0) from ${signatureCountsSql})::int as counted`,
  )
  if (rows[0].stored !== rows[0].counted) throw new Error(`${rows[0].stored} stored, ${rows[0].counted} counted`)
}

export async function benchErasure(stage: Stage): Promise<Measure[]> {
  const { signatures } = stage.scale.people
  const { client, url: databaseUrl } = await stage.createDatabase('erasure')
  await storeSignatures(client, signatures)
  await client.query(storeLinks)
  await client.query('analyze')
  const site = await stage.startSite({
    env: { DATABASE_URL: databaseUrl, ADMIN_PASSWORD: password, DELIVERIES: 'off' },
  })
  const login = await fetch(`${site.url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  const headers = { authorization: `Bearer ${((await login.json()) as { token: string }).token}` }

  const seconds: number[] = []
  for (let person = 1; person <= people; person += 1) {
    const name = `apagado-${person}`
    await client.query(storeSigned, [`${name}@example.org`])
    await client.query(storeVolunteers, [name])
    const { rows } = await client.query(`select id from contacts where email like '${name}+%' limit 1`)
    const startedAt = performance.now()
    const answer = await fetch(`${site.url}/api/admin/pessoas/voluntarios/${rows[0].id}/tudo`, {
      method: 'DELETE',
      headers,
    })
    seconds.push((performance.now() - startedAt) / 1_000)
    const { registros } = (await answer.json()) as { registros: { n: number }[] }
    const erased = registros.reduce((sum, { n }) => sum + n, 0)
    if (erased !== records) throw new Error(`${erased} of ${records} records were erased`)
    await checkTotals(client)
  }
  const label = `a person with ${records} records, ${signatures.toLocaleString('en')} signatures stored`
  return [
    { name: `Erasure of ${label}, median`, unit: 's', figure: median(seconds) },
    {
      ...{ name: `Erasure of ${label}, slowest of ${people}`, unit: 's', figure: Math.max(...seconds) },
      bar: { of: 'figure', atMost: 5 },
    },
  ]
}

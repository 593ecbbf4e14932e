// Stores signatures as after a campaign of two months: rows in order of time, counts by state and hour, deliveries
// done.
import type pg from 'pg'
import { stateCodes } from '#contract/states.ts'
import { countTables } from '#tests/helpers/count-rows.ts'
import { hashMultiplier } from './people.ts'

// The load numbers its people from zero. These have other numbers, spread over the index in the same way.
// `offset 0` keeps PostgreSQL from computing a value again at every use.
const storePeople = `
insert into peticoes (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "redesSociais",
  "aceitaNovidades", "versaoConsentimento", "confirmadoEm", "createdAt")
select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(chance, 1, 3) || '8' || substr(chance, 4, 15))::uuid,
  chance::uuid, 'juros', 'Fulano de Tal ' || n, email, email, '(00) 00000-0000', 'Cidade Exemplo',
  ($2::text[])[1 + n % cardinality($2::text[])], '@fulano', $3 or n % 2 = 0, '2026-01',
  case when $3 then at end, at
from generate_series(1, $1::bigint) as n,
  lateral (select md5(n::text) as chance,
    'fulano-' || lpad(to_hex((1000000000 + n) * ${hashMultiplier} % 4294967296), 8, '0') || '@example.org' as email,
    now() - interval '60 days' * (1 - n / $1::float8) as at
    offset 0) as made`

export const storeCounts = `
with hours as (
  insert into peticoes_por_hora (campanha, estado, hora, n)
  select campanha, estado, date_trunc('hour', "createdAt"), count(*) from peticoes group by 1, 2, 3 returning campanha, n)
insert into signature_totals (campanha, n, confirmed)
select campanha, sum(n), (select count("confirmadoEm") from peticoes p where p.campanha = hours.campanha) from hours group by 1`

// Marks the old signatures as indexed. Otherwise the search index would be built during another measurement.
const markIndexed = `
insert into busca_pessoas_marcas (kind, "lagSeconds", "indexedUpTo")
select 'assinaturas', "lagSeconds", (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
from unnest(array[30, 600, 86400]) "lagSeconds" on conflict (kind, "lagSeconds") do update set "indexedUpTo" = excluded."indexedUpTo"`

interface StoredSignatures {
  /** All have accepted the news and confirmed their address. Default: half have accepted, and none has confirmed. */
  canGetNews?: boolean
}

export async function storeSignatures(
  client: pg.Client,
  count: number,
  { canGetNews = false }: StoredSignatures = {},
): Promise<void> {
  await client.query(`truncate peticoes, ${countTables}, outbox`)
  if (count > 0) {
    // Indexes are built at the end, all at once: row by row takes many times as long.
    const { rows: indexes } = await client.query<{ name: string; definition: string; isPrimary: boolean }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisprimary as "isPrimary"
      from pg_index where indrelid = 'peticoes'::regclass`,
    )
    await client.query(`set maintenance_work_mem = '512MB'`)
    for (const { name, isPrimary } of indexes)
      await client.query(isPrimary ? `alter table peticoes drop constraint ${name}` : `drop index ${name}`)
    await client.query(storePeople, [count, stateCodes, canGetNews])
    for (const { name, definition, isPrimary } of indexes) {
      await client.query(definition)
      if (isPrimary) await client.query(`alter table peticoes add primary key using index ${name}`)
    }
    await client.query(storeCounts)
    await client.query(markIndexed)
  }
  await client.query('vacuum analyze peticoes, peticoes_por_hora')
}

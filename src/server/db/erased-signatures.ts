// Numbers of signatures that were erased when their retention period ended. They are part of the breakdown.
import { sql } from 'drizzle-orm'
import type { StateCode } from '#contract/states.ts'
import type { Database, Orm } from '#server/db/database.ts'

export interface ErasedCity {
  campanha: string
  estado: StateCode
  /** An official name, or `otherCities`. */
  cidade: string
  /** Of the manifesto. */
  versao: number
  n: number
  confirmed: number
}

export interface ErasedOrigin {
  campanha: string
  origem: string | null
  /** Days since 1970. */
  dia: number
  n: number
}

/** The page after `last`. */
export const readErasedCities = ({ query }: Database, last: ErasedCity | undefined, limit: number) =>
  query<ErasedCity>(
    'erased-cities',
    `select campanha, estado, cidade, "versaoManifesto" as versao, n, confirmed from erased_signature_cities
    where $1::text is null or (campanha, estado, cidade, "versaoManifesto") > ($1, $2, $3, $4)
    order by campanha, estado, cidade, "versaoManifesto" limit $5`,
    [last?.campanha, last?.estado, last?.cidade, last?.versao, limit],
  )

/** The page after `last`. */
export const readErasedOrigins = ({ query }: Database, last: ErasedOrigin | undefined, limit: number) =>
  query<ErasedOrigin>(
    'erased-origins',
    `select campanha, nullif(origem, '') as origem, dia - date '1970-01-01' as dia, n from erased_signature_origins
    where $1::text is null or (campanha, origem, dia) > ($1, $2, date '1970-01-01' + $3::int)
    order by campanha, origem, dia limit $4`,
    [last?.campanha, last && (last.origem ?? ''), last?.dia, limit],
  )

/** Adds signatures that are about to be erased, in the transaction that erases them. */
export async function addErasedSignatures(
  tx: Pick<Orm, 'execute'>,
  ids: string[],
  officialCity: (state: string, city: string) => string,
): Promise<void> {
  const signatures = sql`peticoes where id = any(${sql.param(ids)}::uuid[])`
  const { rows } = await tx.execute<ErasedCity & Record<string, unknown>>(sql`
    select campanha, estado, cidade, coalesce("versaoManifesto", 1) as versao, count(*)::int as n,
      count("confirmadoEm")::int as confirmed
    from ${signatures} group by 1, 2, 3, 4`)
  const cities = rows.map((row) => ({ ...row, cidade: officialCity(row.estado, row.cidade) }))
  await tx.execute(sql`
    insert into erased_signature_cities (campanha, estado, cidade, "versaoManifesto", n, confirmed)
    select campanha, estado, cidade, versao, sum(n), sum(confirmed)
    from jsonb_to_recordset(${JSON.stringify(cities)}::jsonb)
      as given(campanha text, estado text, cidade text, versao int, n int, confirmed int)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (campanha, estado, cidade, "versaoManifesto") do update
      set n = erased_signature_cities.n + excluded.n, confirmed = erased_signature_cities.confirmed + excluded.confirmed`)
  await tx.execute(sql`
    insert into erased_signature_origins (campanha, origem, dia, n)
    select campanha, coalesce(origem, ''), ("createdAt" at time zone 'America/Sao_Paulo')::date, count(*)
    from ${signatures} group by 1, 2, 3 order by 1, 2, 3
    on conflict (campanha, origem, dia) do update set n = erased_signature_origins.n + excluded.n`)
}

/** The campaign can then not be signed again: who signed before would be counted twice. */
export async function hasErasedSignatures(tx: Pick<Orm, 'execute'>, slug: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select from erased_signature_cities where campanha = ${slug} limit 1`)
  return rows.length > 0
}

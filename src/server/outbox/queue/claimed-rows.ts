import type { OutboxKind } from '#server/db/outbox.ts'

/** The CTE `taken`: deletes and returns due rows. It skips rows that another node is processing. */
export const claimed = (tipo: OutboxKind, limit: number) => `
taken as (
  delete from outbox where id in (
    select id from outbox where tipo = '${tipo}' and not parada and proxima <= now()
    order by proxima, id limit ${limit} for update skip locked)
  returning dados, "createdAt")`

export const countClaimed = 'select count(*)::int as n from taken'

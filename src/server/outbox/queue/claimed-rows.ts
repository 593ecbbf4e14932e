import type { OutboxKind } from '#server/db/outbox.ts'

/** The CTE `taken`: deletes and returns due rows. It skips rows that another node is processing. */
export const claimed = (kind: OutboxKind, limit: number) => `
taken as (
  delete from outbox where id in (
    select id from outbox where kind = '${kind}' and not dead and "dueAt" <= now()
    order by "dueAt", id limit ${limit} for update skip locked)
  returning payload, "createdAt")`

export const countClaimed = 'select count(*)::int as n from taken'

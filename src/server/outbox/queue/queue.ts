// The queue in the database. Any node may claim deliveries. If a node is killed, its claims expire with their lease.
import type { Database } from '#server/db/database.ts'
import type { Delivery, DeliveryHandler, LaterOptions } from '#server/outbox/queue/delivery.ts'
import { retryDelayMs } from '#server/outbox/queue/retry-policy.ts'

interface Claim {
  deliveries: Delivery[]
  /** Set if the rate limit of the destination kept deliveries back: the time until the next one is allowed. */
  waitMs: number | undefined
}

export interface QueueOptions {
  leaseMs?: number
  maxTries?: number
  /** The pause after the first failure; each further one is three times as long. */
  pauseMs?: number
}

const due = `
  select rows.id from unnest($1::text[]) as given(kind)
  cross join lateral (
    select id, "dueAt", reason from outbox where kind = given.kind and not dead and "dueAt" <= now()
    order by "dueAt", id limit LIMIT for update skip locked) rows
  order by (given.kind = $5 and rows.reason is null) desc, rows."dueAt", rows.id limit LIMIT`

const claimDue = (limit: string, before = '') => `
with ${before} due as (${due.replaceAll('LIMIT', limit)}),
claimed as (
  update outbox set "leasedBy" = $3, "dueAt" = now() + $4 * interval '1 millisecond' from due where outbox.id = due.id
  returning outbox.id, kind, payload, attempts, "createdAt")`

const claim = `${claimDue('$2::int')} select *, null as "waitMs" from claimed order by id`

/** A destination that yields to other kinds looks again after this time. */
const yieldPauseMs = 1_000

// The row of the destination stays locked from reading its rate to updating it, so that all nodes share one rate limit.
const claimAtPace = `${claimDue(
  '(select n from allowed)',
  `pace as (select "freeAt" from destinos where name = $6 for update),
  slots as (
    select extract(epoch from greatest("freeAt", now()) - now())::float8 * 1000 as ahead
    from (values (0)) one left join pace on true),
  yielding as (
    select exists (select from outbox where kind = any($8::text[]) and not dead and "dueAt" <= now()) as yields),
  allowed as (
    select case when yields then 0
        else least($2::int, greatest(floor((greatest($7::float8, 1000) - coalesce(ahead, 0)) / $7::float8), 0))::int end as n,
      yields from slots, yielding),`,
)},
paid as (
  insert into destinos (name, "freeAt")
  select $6, now() + count(*) * $7::float8 * interval '1 millisecond' from claimed having count(*) > 0
  on conflict (name) do update set "freeAt" = greatest(destinos."freeAt", now()) + (excluded."freeAt" - now()))
select claimed.*, case
    when yields then greatest($7::float8, ${yieldPauseMs})
    when n < $2::int and (select count(*) from claimed) = n then $7::float8 end as "waitMs"
from allowed left join claimed on true order by id`

type ClaimedRow = { [Column in keyof Delivery]: Delivery[Column] | null } & { waitMs: number | null }

export type Queue = ReturnType<typeof createQueue>

export function createQueue(database: Database, holder: string, options: QueueOptions = {}) {
  const { leaseMs = 30_000, maxTries = 8, pauseMs = 60_000 } = options
  const { query } = database

  return {
    async claim(
      handler: Pick<DeliveryHandler, 'name' | 'kinds' | 'first' | 'perMinute' | 'rateName' | 'yieldsTo'>,
      limit: number,
    ): Promise<Claim> {
      const { name, kinds, first = '', perMinute, rateName = name, yieldsTo = [] } = handler
      const values = [kinds, limit, holder, leaseMs, first]
      const rows = perMinute
        ? await query<ClaimedRow>('claim-at-pace', claimAtPace, [...values, rateName, 60_000 / perMinute, yieldsTo])
        : await query<ClaimedRow>('claim', claim, values)
      const deliveries = rows.filter(({ id }) => id !== null).map(asDelivery)
      return { deliveries, waitMs: rows[0]?.waitMs ?? undefined }
    },
    /** Extends the lease of deliveries that are still running. */
    async renew(ids: number[]): Promise<void> {
      await query(
        'renew-claims',
        `update outbox set "dueAt" = now() + $3 * interval '1 millisecond' where id = any($1::bigint[]) and "leasedBy" = $2`,
        [ids, holder, leaseMs],
      )
    },
    async done(ids: number[]): Promise<void> {
      await query('delivery-done', 'delete from outbox where id = any($1::bigint[])', [ids])
    },
    /** Counts a failed attempt. After the last attempt, or with `dead`, the delivery becomes a dead letter. */
    async failed({ id, attempts }: Delivery, reason: string, next: 'again' | 'dead'): Promise<void> {
      const isDead = next === 'dead' || attempts + 1 >= maxTries
      await query(
        'delivery-failed',
        `update outbox set attempts = attempts + 1, reason = $3, dead = $4, "leasedBy" = null,
          "dueAt" = now() + $5 * interval '1 millisecond'
        where id = $1 and "leasedBy" = $2`,
        [id, holder, reason, isDead, retryDelayMs(pauseMs, attempts)],
      )
    },
    /** Returns deliveries to the queue without counting an attempt. */
    async handBack(ids: number[], { reason, dueAt }: LaterOptions = {}): Promise<void> {
      // The default of `dueAt` puts them after all other due rows. Otherwise a destination could be probed every time with the one
      // delivery that always fails.
      await query(
        'hand-back',
        `update outbox set "leasedBy" = null, reason = coalesce($3, reason),
          "dueAt" = coalesce($4::timestamptz, now())
        where id = any($1::bigint[]) and "leasedBy" = $2`,
        [ids, holder, reason ?? null, dueAt ?? null],
      )
    },
    /**
     * Whether anything is due, for any handler. While news are sent, their next recipients may not be in the queue yet,
     * and the node that began may have crashed.
     */
    async isDue(): Promise<boolean> {
      const [row] = await query<{ due: boolean }>(
        'anything-due',
        `select exists (select from outbox where not dead and "dueAt" <= now())
          or exists (select from news_sends where status = 'sending') as due`,
        [],
      )
      return row?.due ?? false
    },
  }
}

/** The driver returns bigint columns as text. */
function asDelivery({ id, kind, payload, attempts, createdAt }: ClaimedRow): Delivery {
  return {
    id: Number(id),
    kind: String(kind),
    payload,
    attempts: Number(attempts),
    createdAt: createdAt ?? new Date(0),
  }
}

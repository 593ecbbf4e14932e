// The queue in the database: claiming, and what becomes of a claim. Any node may claim; what a killed one held is free again when its lease ends.
import type { Database } from '#server/db/database.ts'
import type { Courier, Delivery } from '#server/outbox/delivery.ts'

export interface Claim {
  deliveries: Delivery[]
  /** When the pace of the destination, not the want of work, was the limit: how long to wait for the next one. */
  waitMs: number | undefined
}

export interface Queue {
  claim(courier: Pick<Courier, 'name' | 'tipos' | 'first' | 'perMinute'>, most: number): Promise<Claim>
  /** Keeps what is still under way from others. */
  renew(ids: number[]): Promise<void>
  done(ids: number[]): Promise<void>
  /** Counts a failure; it is tried again later, or parked. */
  failed(delivery: Delivery, reason: string, parked: 'parked' | 'again'): Promise<void>
  /** As if it had never been claimed, but for the reason. */
  handBack(ids: number[], reason?: string): Promise<void>
  /** Whether anything is due for anybody. */
  isDue(): Promise<boolean>
}

export interface QueueOptions {
  leaseMs?: number
  mostTries?: number
  /** The pause after the first failure; each further one is three times as long. */
  pauseMs?: number
}

const due = `
  select rows.id from unnest($1::text[]) as given(tipo)
  cross join lateral (
    select id, proxima, motivo from outbox where tipo = given.tipo and not parada and proxima <= now()
    order by proxima, id limit LIMIT for update skip locked) rows
  order by (given.tipo = $5 and rows.motivo is null) desc, rows.proxima, rows.id limit LIMIT`

const claimDue = (limit: string, before = '') => `
with ${before} due as (${due.replaceAll('LIMIT', limit)}),
claimed as (
  update outbox set reserva = $3, proxima = now() + $4 * interval '1 millisecond' from due where outbox.id = due.id
  returning outbox.id, tipo, dados, tentativas, "createdAt")`

const claim = `${claimDue('$2::int')} select *, null as "waitMs" from claimed order by id`

// The row of the destination is locked from reading its pace to moving it on, so that nodes keep it together.
const claimAtPace = `${claimDue(
  '(select n from allowed)',
  `pace as (select "livreEm" from destinos where nome = $6 for update),
  slots as (
    select extract(epoch from greatest("livreEm", now()) - now())::float8 * 1000 as ahead
    from (values (0)) one left join pace on true),
  allowed as (
    select least($2::int, greatest(floor((greatest($7::float8, 1000) - coalesce(ahead, 0)) / $7::float8), 0))::int as n,
      coalesce(ahead, 0) as ahead from slots),`,
)},
paid as (
  insert into destinos (nome, "livreEm")
  select $6, now() + count(*) * $7::float8 * interval '1 millisecond' from claimed having count(*) > 0
  on conflict (nome) do update set "livreEm" = greatest(destinos."livreEm", now()) + (excluded."livreEm" - now()))
select claimed.*, case when n < $2::int and (select count(*) from claimed) = n then $7::float8 end as "waitMs"
from allowed left join claimed on true order by id`

type ClaimedRow = { [Column in keyof Delivery]: Delivery[Column] | null } & { waitMs: number | null }

export function createQueue(database: Database, holder: string, options: QueueOptions = {}): Queue {
  const { leaseMs = 30_000, mostTries = 8, pauseMs = 60_000 } = options
  const { query } = database

  return {
    async claim({ name, tipos, first = '', perMinute }, most) {
      const values = [tipos, most, holder, leaseMs, first]
      const rows = perMinute
        ? await query<ClaimedRow>('claim-at-pace', claimAtPace, [...values, name, 60_000 / perMinute])
        : await query<ClaimedRow>('claim', claim, values)
      const deliveries = rows.filter(({ id }) => id !== null).map(asDelivery)
      return { deliveries, waitMs: rows[0]?.waitMs ?? undefined }
    },
    async renew(ids) {
      await query(
        'renew-claims',
        `update outbox set proxima = now() + $3 * interval '1 millisecond' where id = any($1::bigint[]) and reserva = $2`,
        [ids, holder, leaseMs],
      )
    },
    async done(ids) {
      await query('delivery-done', 'delete from outbox where id = any($1::bigint[])', [ids])
    },
    async failed({ id, tentativas }, reason, parked) {
      const isLast = parked === 'parked' || tentativas + 1 >= mostTries
      // Spread out, so that what failed together does not come back together.
      const delay = pauseMs * 3 ** tentativas * (0.75 + Math.random() / 2)
      await query(
        'delivery-failed',
        `update outbox set tentativas = tentativas + 1, motivo = $3, parada = $4, reserva = null,
          proxima = now() + $5 * interval '1 millisecond'
        where id = $1 and reserva = $2`,
        [id, holder, reason, isLast, delay],
      )
    },
    async handBack(ids, reason) {
      // Behind what else is due: one that always meets a closed door must not be what the door is tried with every time.
      await query(
        'hand-back',
        `update outbox set reserva = null, motivo = coalesce($3, motivo), proxima = now()
        where id = any($1::bigint[]) and reserva = $2`,
        [ids, holder, reason ?? null],
      )
    },
    async isDue() {
      const [row] = await query<{ due: boolean }>(
        'anything-due',
        'select exists (select from outbox where not parada and proxima <= now()) as due',
        [],
      )
      return row?.due ?? false
    },
  }
}

/** The driver gives large numbers as text. */
function asDelivery({ id, tipo, dados, tentativas, createdAt }: ClaimedRow): Delivery {
  return {
    id: Number(id),
    tipo: String(tipo),
    dados,
    tentativas: Number(tentativas),
    createdAt: createdAt ?? new Date(0),
  }
}

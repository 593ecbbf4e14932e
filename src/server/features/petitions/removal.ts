// Takes a signature back: the row, its place in the ledger and, later, its row of the spreadsheet, together or not at all.
import { sql } from 'drizzle-orm'
import type { Database, Orm } from '#server/db/database.ts'
import { rememberRemoval } from '#server/db/removed-requests.ts'
import { forgetSubject } from '#server/outbox/emails/permission.ts'

/** Hours that are over are summed seldom: this number tells every node that one of them has changed. */
export const removalsCounter = 'assinaturas-removidas'

interface Gone extends Record<string, unknown> {
  campanha: string
  estado: string
  emailCanonico: string
  hora: string
}

/** False: there is no such signature, or not any more. */
export async function removeSignature(
  database: Database,
  id: string,
  { onQueued, inTransaction }: { onQueued(): void; inTransaction?: ((tx: Orm) => Promise<void>) | undefined },
): Promise<boolean> {
  await rememberRemoval(database, 'peticoes', id)
  const removed = await database.transaction(async (tx) => {
    // An hour is over for a reader at the earliest when its successor is; the minute is for clocks and for commits under way.
    const { rows } = await tx.execute<Gone>(sql`
      with gone as (
        delete from peticoes where id = ${id}
        returning id, campanha, estado, "emailCanonico", date_trunc('hour', "createdAt") as hora),
      lowered as (
        update peticoes_por_hora ledger set n = n - 1 from gone
        where ledger.hora = gone.hora and ledger.campanha = gone.campanha and ledger.estado = gone.estado),
      told as (
        insert into contadores (nome, n)
        select ${removalsCounter}, 1 from gone where hora < date_trunc('hour', now() + interval '1 minute') - interval '1 hour'
        on conflict (nome) do update set n = contadores.n + 1),
      queued as (
        insert into outbox (tipo, dados)
        select 'planilha-remover', jsonb_build_object('aba', coalesce("sheetTab", campanha), 'id', gone.id)
        from gone left join campaigns on slug = campanha)
      select campanha, estado, "emailCanonico", hora::text from gone`)
    const [gone] = rows
    if (!gone) return false
    // A part that counts nobody is as if nobody had ever signed there. A statement of its own: only now is the row locked.
    await tx.execute(sql`
      delete from peticoes_por_hora
      where hora = ${gone.hora} and campanha = ${gone.campanha} and estado = ${gone.estado} and n = 0`)
    await forgetSubject(tx, gone.emailCanonico, gone.campanha)
    await inTransaction?.(tx)
    return true
  })
  if (removed) onQueued()
  return removed
}

// Takes a signature back: its row, its place in the ledger and its line of the spreadsheet, together or not at all.
import type { Database } from '#server/db/database.ts'

const remove = `
with gone as (delete from peticoes where id = $1 returning id, campanha, estado, date_trunc('hour', "createdAt") as hora),
ledger as (
  update peticoes_por_hora l set n = l.n - 1 from gone g
  where l.hora = g.hora and l.campanha = g.campanha and l.estado = g.estado),
queued as (
  insert into outbox (tipo, dados)
  select 'planilha-remover', jsonb_build_object('aba', coalesce("sheetTab", campanha), 'id', gone.id)
  from gone left join campaigns on slug = campanha)
select id from gone`

export async function removeSignature(database: Database, id: string): Promise<boolean> {
  return (await database.query('', remove, [id])).length > 0
}

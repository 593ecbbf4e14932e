// Removing signatures, in SQL: the rows, their counts and, later, their rows of the spreadsheet, together or not at all.

/** Needs a CTE `wanted` with the ids. The removed rows are in `gone`. */
export const removeWantedSignatures = `
gone as (
  delete from peticoes where id in (select id from wanted)
  returning id, campanha, estado, "emailCanonico", date_trunc('hour', "createdAt") as hora),
counted as (
  insert into signature_count_changes (campanha, estado, hora, n) select campanha, estado, hora, -1 from gone),
queued as (
  insert into outbox (tipo, dados)
  select 'planilha-remover', jsonb_build_object('aba', coalesce("sheetTab", campanha), 'id', gone.id)
  from gone left join campaigns on slug = campanha)`

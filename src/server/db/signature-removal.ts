// Removing signatures, in SQL: the rows, their counts and, later, their rows of the spreadsheet, together or not at all.

/**
 * Needs a CTE `wanted` with the ids. The removed rows are in `gone`. Requests that repeated them and wait to be looked at are forgotten;
 * a locked row of them is being looked at, and gone in a moment.
 */
export const removeWantedSignatures = `
gone as (
  delete from peticoes where id in (select id from wanted)
  returning id, campanha, estado, "emailCanonico", date_trunc('hour', "createdAt") as hora),
counted as (
  insert into signature_count_changes (campanha, estado, hora, n) select campanha, estado, hora, -1 from gone),
queued as (
  insert into outbox (tipo, dados)
  select 'planilha-remover', jsonb_build_object('aba', coalesce("sheetTab", campanha), 'id', gone.id)
  from gone left join campaigns on slug = campanha),
forgotten as (
  update outbox set dados = (
    select coalesce(jsonb_agg(request), '[]') from jsonb_array_elements(dados) as requests(request)
    where request->>'emailCanonico' not in (select "emailCanonico" from gone))
  where id in (
    select id from outbox where tipo = 'pedidos-repetidos' and not parada and exists (
      select from gone where dados @> jsonb_build_array(jsonb_build_object('emailCanonico', "emailCanonico")))
    for update skip locked))`

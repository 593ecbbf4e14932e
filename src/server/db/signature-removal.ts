// The statements that delete signatures with their counts, spreadsheet rows and queued requests.
import { enqueueSql } from '#server/db/outbox.ts'
import { forgetSuppressedEmails } from '#server/db/suppressed-emails.ts'

const lowerCounts = `
  insert into signature_count_changes (campanha, estado, hora, n) select campanha, estado, hora, -1 from gone`

// A trigger subtracts confirmed signatures when they are deleted.
const keepCounts = `
  insert into signature_count_changes (campanha, estado, hora, n, confirmed)
  select campanha, estado, date_trunc('hour', "confirmadoEm"), 0, count(*) from gone where "confirmadoEm" is not null group by 1, 2, 3`

const removal = (changeCounts: string) => `
gone as (
  delete from peticoes where id in (select id from wanted)
  returning id, campanha, estado, "canonicalEmail", "confirmadoEm", date_trunc('hour', "createdAt") as hora),
counted as (${changeCounts}),
queued as (
  ${enqueueSql(
    'planilha-remover',
    `jsonb_build_object('aba', coalesce("sheetTab", campanha), 'ids', jsonb_agg(gone.id))`,
    {
      clauses: 'from gone left join campaigns on slug = campanha group by coalesce("sheetTab", campanha)',
    },
  )}),
${forgetSuppressedEmails('gone')},
repeats as (
  update outbox set payload = (
    select coalesce(jsonb_agg(request), '[]') from jsonb_array_elements(payload) as requests(request)
    where request->>'emailCanonico' not in (select "canonicalEmail" from gone))
  where id in (
    select id from outbox where kind = 'pedidos-repetidos' and not dead and exists (
      select from gone where payload @> jsonb_build_array(jsonb_build_object('emailCanonico', "canonicalEmail")))
    for update skip locked))`

/**
 * CTEs that delete the signatures whose ids are in the CTE `wanted`. The deleted rows are in `gone`. The same
 * statement corrects the counts and queues the removal of the spreadsheet rows. It also deletes repeated
 * requests for these signatures from the outbox. A locked outbox row is being processed and will be deleted in a
 * moment.
 */
export const removeWantedSignatures = removal(lowerCounts)

/** The same, but the signatures still count. */
export const eraseWantedSignatures = removal(keepCounts)

// Moves signatures that were stored under the old slug of a renamed campaign. This happens because a node learns of a
// rename up to a second later, and a batch may be running. It is done after signing, so that signing needs no lock on
// campaigns and no lookup of old slugs.
import type { Database } from '#server/db/database.ts'

/** Signatures of old links and phones use an old slug for years, but are stored under the current slug. */
const recently = `"createdAt" > now() - interval '1 day'`

// Runs before every fan-out, so it must be cheap. The order is that of the unique index of signatures; without it the
// planner could read every signature.
const find = `
select 1 as found from campaign_old_slugs old
cross join lateral (select from peticoes where campanha = old.slug order by "canonicalEmail" limit 1) stray
where old.${recently} limit 1`

// A slug can be changed only while the campaign has no signatures, so there are few rows.
const move = `
with renamed as materialized (
  select old.slug as former, campaigns.slug as present
  from campaign_old_slugs old join campaigns on campaigns.id = old."campaignId" where old.${recently}),
stray as materialized (
  select p.*, former, present,
    exists (select from peticoes q where q.campanha = present and q."canonicalEmail" = p."canonicalEmail")
      or row_number() over (partition by present, p."canonicalEmail" order by p.id) > 1 as "isRepeat"
  from renamed cross join lateral (
    select id, "canonicalEmail", estado, date_trunc('hour', "createdAt") as hora from peticoes
    where campanha = former order by "canonicalEmail" limit 500 for update) p),
moved as (
  update peticoes set campanha = present from stray where peticoes.id = stray.id and not "isRepeat"),
gone as (
  delete from peticoes using stray where peticoes.id = stray.id and "isRepeat"),
counted as (
  insert into signature_count_changes (campanha, estado, hora, n)
  select former, estado, hora, -count(*) from stray group by 1, 2, 3 union all
  select present, estado, hora, count(*) from stray where not "isRepeat" group by 1, 2, 3)
select 1 as done`

export async function moveRenamedSignatures({ query }: Database): Promise<void> {
  const found = await query('find-renamed-signatures', find, [])
  if (found.length === 0) return
  await query('move-renamed-signatures', move, [])
}

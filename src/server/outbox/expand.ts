// Signing and forms leave one row for many records. Here, off their path, it becomes what each destination is to be told.
import { codeOf, type Database } from '#server/db/database.ts'
import { oneByOne } from '#server/db/one-by-one.ts'
import { moveRenamedSignatures } from '#server/outbox/renamed-campaigns.ts'
import { expandRepeatedRequests } from '#server/outbox/repeated-requests.ts'
import { countTaken, taken } from '#server/outbox/taken-rows.ts'

export interface Expansion {
  /** Turns rows into deliveries, in the statement that removes them; says whether there may be more. */
  expand(): Promise<boolean>
}

export interface ExpansionOptions {
  /** Whether who has not confirmed is reminded, days later. */
  reminders: boolean
}

const rowsAtOnce = 25

const takenIds = (tipo: string, most: number) => `${taken(tipo, most)},
given as (
  select id::uuid, (row_number() over () - 1) / 1000 as part from taken, jsonb_array_elements_text(dados) as elements(id))`

const expandSignatures = `
with ${takenIds('assinaturas', rowsAtOnce)},
rows as (
  insert into outbox (tipo, dados)
  select 'planilha', jsonb_build_object('aba', coalesce("sheetTab", campanha), 'tabela', 'peticoes', 'ids', jsonb_agg(given.id order by given.id))
  from given cross join ${oneByOne('peticoes', 'given.id')} left join campaigns on slug = campanha
  group by coalesce("sheetTab", campanha), part),
emails as (
  insert into outbox (tipo, dados)
  select 'emails', jsonb_build_object('modelo', 'assinatura', 'ids', jsonb_agg(id)) from given group by part)
${countTaken}`

// Queued by the version before this one.
const expandRepeats = `
with ${takenIds('assinaturas-repetidas', rowsAtOnce)},
emails as (
  insert into outbox (tipo, dados)
  select 'emails', jsonb_build_object('modelo', 'repetida', 'ids', jsonb_agg(id)) from given group by part)
${countTaken}`

const expandReminders = `
with ${takenIds('lembretes', 5)},
emails as (
  insert into outbox (tipo, dados)
  select 'emails', jsonb_build_object('modelo', 'lembrete', 'ids', jsonb_agg(given.id))
  from given cross join ${oneByOne('peticoes', 'given.id')} where "confirmadoEm" is null and $1 group by part)
${countTaken}`

const expandForm = (tipo: string, { aba, tabela }: { aba: string; tabela: string }) => `
with ${takenIds(tipo, rowsAtOnce)},
rows as (
  insert into outbox (tipo, dados)
  select 'planilha', jsonb_build_object('aba', '${aba}', 'tabela', '${tabela}', 'ids', jsonb_agg(id order by id))
  from given group by part),
emails as (
  insert into outbox (tipo, dados) select 'email', jsonb_build_object('modelo', '${tipo}', 'id', id) from given)
${countTaken}`

// Two days from here, not from signing: whoever got the first mail late is not reminded of it the next minute.
const breakWaitingEmails = `
with taken as (
  delete from outbox where id in (
    select id from outbox where tipo = 'emails' and not parada and proxima <= now()
    order by proxima, id limit 1 for update skip locked)
  returning dados, "createdAt"),
broken as (
  insert into outbox (tipo, dados, proxima, "createdAt")
  select 'email', jsonb_build_object('modelo', dados->'modelo', 'id', element), "createdAt", "createdAt"
  from taken, jsonb_array_elements(dados->'ids') as elements(element)),
reminders as (
  insert into outbox (tipo, dados, proxima)
  select 'lembretes', dados->'ids', now() + interval '2 days' from taken where $1 and dados->>'modelo' = 'assinatura')
${countTaken}`

// Nothing of ours writes such a row; a hand that repairs the database may.
const parkMalformed = `
update outbox set parada = true, motivo = 'Não foi possível entender o que entregar.'
where not parada and proxima <= now() and tipo = $1
  and case jsonb_typeof(coalesce(dados->'ids', dados)) when 'array'
    then exists (select from jsonb_array_elements_text(coalesce(dados->'ids', dados)) as elements(id)
      where id is null or id !~* case tipo when 'pedidos-repetidos' then '^{' else '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' end)
    else true end
returning id`

/** A list that is none, or an element that is no id or, of repeated requests, no object. */
const malformed = ['22023', '22P02']

/** Sets rows aside that cannot be read, so that they do not stop the others; answers `undefined` if there was any. */
async function withoutMalformed<T>({ query }: Database, tipo: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!malformed.includes(codeOf(error) ?? '')) throw error
    const parked = await query('park-malformed', parkMalformed, [tipo])
    if (parked.length === 0) throw error
    return undefined
  }
}

export function createExpansion(database: Database, { reminders }: ExpansionOptions): Expansion {
  const statements: [tipo: string, text: string, values: unknown[]][] = [
    ['assinaturas', expandSignatures, []],
    ['pedidos-repetidos', expandRepeatedRequests, []],
    ['assinaturas-repetidas', expandRepeats, []],
    ['lembretes', expandReminders, [reminders]],
    ['voluntario', expandForm('voluntario', { aba: 'Voluntarios', tabela: 'contacts' }), []],
    ['influenciador', expandForm('influenciador', { aba: 'Influenciadores', tabela: 'influenciadores' }), []],
    ['lider', expandForm('lider', { aba: 'Lideres', tabela: 'lideres' }), []],
  ]

  return {
    async expand() {
      // Before deliveries name the tab and the title of their campaign.
      await moveRenamedSignatures(database)
      let mayBeMore = false
      for (const [tipo, text, values] of statements) {
        const rows = await withoutMalformed(database, tipo, () =>
          database.query<{ n: number }>(`expand-${tipo}`, text, values),
        )
        mayBeMore ||= rows === undefined || rows[0]?.n === rowsAtOnce
      }
      return mayBeMore
    },
  }
}

/** Breaks e-mails that wait together into single ones; says whether there were any. */
export async function breakEmails(database: Database, { reminders }: ExpansionOptions): Promise<boolean> {
  const rows = await withoutMalformed(database, 'emails', () =>
    database.query<{ n: number }>('break-emails', breakWaitingEmails, [reminders]),
  )
  return rows === undefined || (rows[0]?.n ?? 0) > 0
}

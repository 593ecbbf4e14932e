// Backup and restore as the operator runs them, on both engines and from one to the other, compared row by row.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { getTableName } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stagedLine } from '#server/adapters/tables/staged-table.ts'
import { fingerprintOf } from '#server/core/address-key.ts'
import { readConfig } from '#server/core/config.ts'
import { openEngine } from '#server/db/engine.ts'
import { migrationsFolder } from '#server/db/migrate.ts'
import * as schema from '#server/db/schema.ts'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { fill } from '#tests/chaos/sites.ts'
import { type CommandResult, run } from '#tests/helpers/command.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { copyMigrationsBefore, renameColumns } from '#tests/helpers/early-migrations.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { type Cluster, createCluster, postgresBinary } from '#tests/helpers/postgres.ts'
import { type ServerSettings, startServer, temporaryFolder } from '#tests/helpers/server-process.ts'
import { startSigners } from '#tests/helpers/signers.ts'

const folder = temporaryFolder()
const inFolder = (name: string) => join(folder, name)
const embedded = (name: string): ServerSettings => ({ dataDir: inFolder(name) })
const source = embedded('origem')
const addressKey = randomBytes(32)
const backup = inFolder('origem.mobiliza')
let written: CommandResult
let before: Record<string, unknown>
let cluster: Cluster
const postgres = async (name: string): Promise<ServerSettings> => ({
  dataDir: inFolder('sem-banco'),
  env: { DATABASE_URL: await cluster.createDatabase(name) },
})

beforeAll(async () => {
  cluster = await createCluster()
  await fill(source)
  await withClient(source, fillEveryTable)
  written = await run('backup', source, backup)
  before = await contentOf(source)
})
afterAll(async () => {
  await cluster.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function withClient<T>(
  { dataDir = '', env = {} }: ServerSettings,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const engine = await openEngine(readConfig({ DATA_DIR: dataDir, ...env }))
  const client = new pg.Client(engine.direct)
  await client.connect()
  try {
    await client.query(`set timezone = 'UTC'`)
    return await work(client)
  } finally {
    await client.end()
    await engine.stop()
  }
}

/** Values that are easily lost: quotes, backslashes, text like null, microseconds, bytes, nested JSON. */
async function fillEveryTable(client: pg.Client): Promise<void> {
  const odd = `O'Fulano "\\N" {NULL} \t\r\n\\x00 ção 🇧🇷 \u2028`
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31 + (index >> 8)) % 256))
  await client.query(
    `insert into peticoes (id, campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "redesSociais", "requestId",
      "versaoConsentimento", "confirmadoEm", "createdAt")
    select gen_random_uuid(), 'juros', $1 || n, 'f' || n || '@example.org', 'f' || n || '@example.org', '', '', 'SP',
      case when n % 2 = 0 then 'null' end, gen_random_uuid(), '1', case when n % 3 = 0 then 'infinity'::timestamptz end,
      '2026-02-28 23:59:59.999999-03'::timestamptz + n * interval '1.000001 s'
    from generate_series(1, 5000) n`,
    [odd],
  )
  await client.query(
    `insert into peticoes_por_hora select campanha, estado, date_trunc('hour', "createdAt"), count(*) from peticoes group by 1, 2, 3`,
  )
  // Dead-letter: a restore moves waiting deliveries to this state.
  await client.query(
    `insert into outbox (kind, payload, reason, dead) select 'assinaturas', jsonb_agg(id), $1, true from peticoes`,
    [odd],
  )
  await client.query(
    `insert into contacts (id, name, email, "canonicalEmail", whatsapp, tasks, "requestId", "versaoConsentimento")
    values (gen_random_uuid(), $1, 'c@example.org', 'c@example.org', '', $2, gen_random_uuid(), '1')`,
    [odd, [odd, '', 'NULL', 'a,b', '{}']],
  )
  await client.query(
    `insert into influenciadores (id, name, email, "canonicalEmail", whatsapp, cidade, estado, "redesSociais", "requestId", "versaoConsentimento")
    values (gen_random_uuid(), $1, 'i@example.org', 'i@example.org', '', '', 'SP', '', gen_random_uuid(), '1')`,
    [odd],
  )
  await client.query(
    `insert into lideres (id, nome, email, "canonicalEmail", whatsapp, "encryptedCpf", "cpfDigest", "cpfConfere", nascimento, genero,
      profissao, endereco, cidade, estado, cep, motivacao, aceita_termos, "requestId", "versaoConsentimento")
    values (gen_random_uuid(), $1::text, 'l@example.org', 'l@example.org', '', $2, '', true, '1984-02-29', '', '', '', '', 'SP', '', $1::text, true, gen_random_uuid(), '1')`,
    [odd, bytes.subarray(0, 64)],
  )
  await client.query(
    `insert into media (sha256, format, "contentType", width, height, bytes) select n || '', 'webp', 'image/webp', 1, 1, $1 from generate_series(1, 12) n`,
    [bytes],
  )
  await client.query(`insert into bot_conversas ("subscriberId", tags, "customFields") values ('1', $1, $2)`, [
    [odd],
    JSON.stringify({ odd, big: '@', nested: [null, { a: 0.1 }] }).replace('"@"', '12345678901234567890.123456789'),
  ])
  await client.query(`insert into admin_users (username, password, email) values ('a', 'b', 'c'), ('d', 'e', 'f')`)
  await client.query(`insert into admin_sessions ("tokenHash", "adminUserId") select 'x', max(id) from admin_users`)
  // A sequence must not repeat numbers of deleted rows.
  await client.query(`delete from admin_users where username = 'a'`)
  // A database of the first version lacks these tables.
  const { rows } = await client.query(`select to_regclass('admin_actions') as "table"`)
  if (rows[0]?.table) {
    await client.query(`insert into signature_totals select campanha, sum(n) from peticoes_por_hora group by 1`)
    await client.query(`insert into signature_count_changes values ('juros', 'SP', '2026-02-28 23:00-03', -1, -1)`)
    await client.query(
      `insert into removed_requests (digest) select sha256(uuid_send("requestId")) from peticoes limit 3`,
    )
    await client.query(
      `insert into admin_totp ("adminUserId", secret, "lastStep") select max(id), '\\x00ff', 5 from admin_users`,
    )
    await client.query(
      `insert into admin_passkeys ("adminUserId", "credentialId", "publicKey", counter, transports, name)
      select max(id), 'x', '\\x00ff', 5, $1, left($2, 60) from admin_users`,
      [[odd], odd],
    )
    await client.query(`insert into admin_recovery_codes select max(id), 'x' from admin_users`)
    await client.query(`insert into admin_challenges ("tokenHash", "adminUserId") select 'x', max(id) from admin_users`)
    // A server creates the key at its first start. The times of the list have milliseconds.
    await client.query(`insert into address_keys values (1, $1, false, $2, true)`, [
      addressKey,
      fingerprintOf(addressKey),
    ])
    await client.query(
      `insert into erased_people ("mailboxHmac", "erasedAt") values ('\\x27', date_trunc('milliseconds', now()))`,
    )
    await client.query(`insert into erased_signature_cities values ('juros', 'SP', $1, 1, 2, 1)`, [odd])
    await client.query(`insert into erased_signature_origins values ('juros', $1, '2026-02-28', 2)`, [odd])
    await client.query(`insert into admin_actions (username, action, target) values ('a', 'b', $1)`, [odd])
    await client.query(
      `insert into busca_pessoas (kind, id, words) values ('assinaturas', gen_random_uuid(), array_to_tsvector($1))`,
      [[odd, 'an:fulano']],
    )
    await client.query(
      `insert into bot_mensagens ("conversationId", key, mensagem, quando) select max(id), 'x', $1, now() from bot_conversas`,
      [odd],
    )
    await client.query(
      `insert into busca_pessoas_marcas values ('assinaturas', 30, gen_random_uuid()) on conflict do nothing`,
    )
    await client.query(`insert into contadores values ('c', 12345678901)`)
    await client.query(`insert into admin_devices ("tokenHash", "adminUserId") select $1, max(id) from admin_users`, [
      odd,
    ])
    await client.query(`insert into campaign_old_slugs (slug, "campaignId") select $1, max(id) from campaigns`, [odd])
    await client.query(`insert into destinos values ('d', '2026-02-28 23:59:59.999999-03')`)
    await client.query(
      `insert into email_tokens values ('\\x00ff', 'confirmar', '\\x27', gen_random_uuid(), 'infinity')`,
    )
    await client.query(`insert into emails_por_endereco values ('\\x5c', 'juros', 5)`)
    await client.query(`insert into enderecos ("addressHmac", "rejectedAt") values ('\\x0a', now())`)
    await client.query(`insert into people_workflow (kind, id, tags) values ('lideres', gen_random_uuid(), $1)`, [
      [odd],
    ])
    await client.query(
      `insert into people_notes (kind, "recordId", author, text) values ('lideres', gen_random_uuid(), 'a', $1)`,
      [odd],
    )
    await client.query(`insert into saved_filters (kind, name, filters, author) values ('lideres', 'n', $1, 'a')`, [
      JSON.stringify({ busca: odd }),
    ])
    // A restore cancels unfinished imports and deletes the files of all.
    await client.query(
      `with import as (insert into imports (kind, status, "fileName", author) values ('lideres', 'done', $1, 'a') returning id)
      insert into import_rejections select id, 2, $1 from import`,
      [odd],
    )
    await client.query(`insert into site_settings (settings) values ($1)`, [JSON.stringify({ lema: odd })])
    // A restore pauses news that are being sent, and makes drafts of news whose time has passed.
    await client.query(
      `with item as (
        insert into news ("campaignId", title, html, segment, status, author) select min(id), $1::text, $1::text, $2, 'published', 'a' from campaigns
        returning id),
      sent as (insert into news_sends ("newsId", status, segment) select id, 'done', $2 from item),
      recipient as (
        insert into news_recipients ("newsId", "addressHmac", kind, "recordId", outcome)
        select id, '\\x00ff', 'lideres', gen_random_uuid(), 'accepted' from item)
      insert into news_opt_outs ("addressHmac", "campaignId") select '\\x00ff'::bytea || sha256(convert_to($1::text, 'UTF8')), min(id) from campaigns`,
      [odd, JSON.stringify({ tipos: ['lideres'], cidade: odd })],
    )
    await client.query(`insert into news_segments (name, segment, author) values (left($1, 60), '{}', 'a')`, [odd])
    await client.query(`insert into planilhas (name, writes, reason) values ('p', array[now(), 'infinity'], $1)`, [odd])
  }
}

/** A digest of the rows of every table, and the next number of every sequence. Of all columns, or of the given ones. */
function contentOf(settings: ServerSettings, columns?: TableColumns): Promise<Record<string, unknown>> {
  return withClient(settings, async (client) => {
    const content: Record<string, unknown> = {}
    for (const name of columns ? Object.keys(columns) : Object.values(schema).map(getTableName)) {
      const row = columns ? `row(${columns[name]})` : 't'
      const { rows } = await client.query(
        `select count(*)::int as rows, md5(string_agg(md5(${row}::text), '' order by ${row}::text collate "C")) as digest from "${name}" t`,
      )
      content[name] = rows[0]
    }
    const { rows } = await client.query(
      `select sequencename as name, last_value as last from pg_sequences where schemaname = 'public' order by 1`,
    )
    return { ...content, ...(!columns && { sequences: rows }) }
  })
}

type TableColumns = Record<string, string>

const columnsOf = (settings: ServerSettings): Promise<TableColumns> =>
  withClient(settings, async (client) => {
    const { rows } = await client.query(
      `select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
      from information_schema.columns where table_schema = 'public' group by 1`,
    )
    return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
  })

test('a restored backup equals its source, between the embedded engine and PostgreSQL in both directions and on the same engine', {
  timeout: 300_000,
}, async () => {
  const second = inFolder('postgres.mobiliza')
  const [onPostgres, onSecondPostgres] = [await postgres('subiu'), await postgres('igual')]

  const results = [written, await run('restore', onPostgres, backup), await run('backup', onPostgres, second)]
  for (const target of [onSecondPostgres, embedded('desceu')]) results.push(await run('restore', target, second))
  results.push(await run('restore', embedded('copiado'), backup))

  expect(results.filter(({ code }) => code !== 0)).toEqual([])
  expect(Object.keys(before).filter((name) => (before[name] as { rows?: number }).rows === 0)).toEqual([])
  for (const target of [onPostgres, onSecondPostgres, embedded('desceu'), embedded('copiado')]) {
    expect(await contentOf(target)).toEqual(before)
    await withClient(target, async (client) => {
      const { rows } = await client.query(
        `insert into admin_users (username, password, email) values ('n', '', 'n') returning id`,
      )
      expect(Number(rows[0]?.id)).toBe(3)
    })
  }
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  expect(written.output).toContain('5.000 assinaturas, 1 voluntário, 1 influenciador, 1 líder, 1 conversa, 5 campanhas')
  expect(written.output).toMatch(/A chave dos dados reservados não está na cópia .*segredos\.json/)
})

test('a restore migrates the backup of an older version', async () => {
  const [old, target] = [await postgres('antigo'), await postgres('atualizado')]
  const allMigrations = readMigrationFiles({ migrationsFolder })
  await withClient(old, async (client) => {
    await migrate(drizzle(client), {
      migrationsFolder: copyMigrationsBefore('0001_bytewise_keys', inFolder('migracoes')),
    })
    await renameColumns(client, 'to present')
    await fillEveryTable(client)
    await renameColumns(client, 'to former')
    await client.query(
      `insert into campaigns (slug, titulo, "manifestoHtml", "sheetTab") values ('antiga', 'Antiga', '<p>Um texto</p>', 'antiga')`,
    )
  })
  const file = inFolder('antigo.mobiliza')

  const results = [await run('backup', old, file), await run('restore', target, file)]

  expect(results.map(({ code }) => code)).toEqual([0, 0])
  for (const { output } of results) expect(output).toContain('o PostgreSQL de DATABASE_URL')
  await withClient(old, (client) => renameColumns(client, 'to present'))
  const columns = await columnsOf(old)
  expect(Object.keys(columns)).toContain('peticoes')
  await withClient(target, async (client) => {
    // The migration of news consent queues an update of every row in the spreadsheet.
    const { rows: updates } = await client.query(
      `with removed as (delete from outbox where kind = 'planilha-atualizar' returning payload)
      select sum(jsonb_array_length(payload->'ids'))::int as records from removed`,
    )
    expect(updates).toEqual([{ records: 5003 }])
  })
  expect(await contentOf(target, columns)).toEqual(await contentOf(old, columns))
  await withClient(target, async (client) => {
    // The text at the time of the upgrade becomes the first version.
    const { rows: versions } = await client.query('select versao, html from manifestos')
    expect(versions).toEqual([{ versao: 1, html: '<p>Um texto</p>' }])
    const { rows } = await client.query('select hash from drizzle.__drizzle_migrations order by id')
    expect(rows.map(({ hash }) => hash)).toEqual(allMigrations.map(({ hash }) => hash))
  })
})

test('pg_dump and pg_restore also restore everything', async () => {
  const [from, to] = [await postgres('de_fora'), await postgres('para_fora')]
  expect((await run('restore', from, backup)).code).toBe(0)
  const [file, target] = [inFolder('site.dump'), String(to.env?.DATABASE_URL)]

  execFileSync(postgresBinary('pg_dump'), ['-Fc', String(from.env?.DATABASE_URL), '-f', file])
  execFileSync(postgresBinary('pg_restore'), ['-d', target, file])

  expect(await contentOf(to)).toEqual(before)
})

test('backup does not overwrite a file, and restore replaces existing data only with --substituir', async () => {
  const kept = readFileSync(backup)
  const target = await postgres('ocupado')
  expect((await run('restore', target, backup)).code).toBe(0)
  await withClient(target, (client) =>
    client.query('delete from peticoes where id in (select id from peticoes limit 10)'),
  )
  const changed = await contentOf(target)

  const again = await run('backup', source, backup)
  const over = await run('restore', target, backup)
  const untouched = await contentOf(target)
  const replaced = await run('restore', target, backup, '--substituir')

  expect([again.code, over.code, replaced.code]).toEqual([1, 1, 0])
  expect(again.output).toContain('já existe')
  expect(readFileSync(backup).equals(kept)).toBe(true)
  expect(over.output).toContain('--substituir')
  expect(untouched).toEqual(changed)
  expect(await contentOf(target)).toEqual(before)
})

test('restore rejects a truncated, modified or newer backup before it writes anything', async () => {
  const whole = readFileSync(backup)
  const text = gunzipSync(whole).toString()
  const lines = text.trimEnd().split('\n')
  const flipped = Buffer.from(whole)
  flipped.writeUInt8(flipped.readUInt8(whole.length >> 1) ^ 0x10, whole.length >> 1)
  const broken: [sentence: string, content: Buffer][] = [
    ['cortada ou estragada', whole.subarray(0, whole.length >> 1)],
    ['cortada ou estragada', whole.subarray(0, whole.length - 1)],
    ['cortada ou estragada', flipped],
    ['cortada ou estragada', gzipSync(`${lines.slice(0, -1).join('\n')}\n`)],
    ['cortada ou estragada', gzipSync(`${lines.toSpliced(200, 1).join('\n')}\n`)],
    ['cortada ou estragada', Buffer.from('not a backup')],
    ['outra versão do Mobiliza', gzipSync(text.replace('"migrations":[', `"migrations":["${'0'.repeat(64)}",`))],
  ]
  const target = await postgres('intacto')
  await fill(target)
  const untouched = await contentOf(target)

  for (const [number, [sentence, content]] of broken.entries()) {
    const bad = inFolder(`ruim-${number}.mobiliza`)
    writeFileSync(bad, content)
    const { code, output } = await run('restore', target, bad, '--substituir')
    expect(`${code} ${output}`).toContain(sentence)
    expect(code).toBe(1)
  }

  expect(await contentOf(target)).toEqual(untouched)
  expect((await run('restore', embedded('nunca'), inFolder('ruim-0.mobiliza'))).code).toBe(1)
  expect(existsSync(inFolder('nunca'))).toBe(false)
})

test('an encrypted backup is restored with its key only, whole, and a file without encryption still is', {
  timeout: 300_000,
}, async () => {
  const [key, otherKey] = [0, 1].map(() => randomBytes(32).toString('base64')) as [string, string]
  const file = inFolder('cifrada.mobiliza')
  const withKey = (settings: ServerSettings, BACKUP_KEY: string) => ({
    ...settings,
    env: { ...settings.env, BACKUP_KEY },
  })
  const made = await run('backup', withKey(source, key), file)
  const content = readFileSync(file)
  const cut = inFolder('cifrada-cortada.mobiliza')
  writeFileSync(cut, content.subarray(0, -1))
  const target = await postgres('cifrado')
  await fill(target)
  const untouched = await contentOf(target)

  const refused = [
    await run('restore', target, file, '--substituir'),
    await run('restore', withKey(target, otherKey), file, '--substituir'),
    await run('restore', withKey(target, key), cut, '--substituir'),
    await run('restore', embedded('sem-chave'), file),
  ]

  expect([made.code, statSync(file).mode & 0o777]).toEqual([0, 0o600])
  expect([made.output, written.output].map((text) => text.includes('não está cifrada'))).toEqual([false, true])
  expect(() => gunzipSync(content)).toThrow()
  expect(refused.map(({ code }) => code)).toEqual([1, 1, 1, 1])
  const sentences = ['defina BACKUP_KEY', 'outra BACKUP_KEY', 'cortada ou estragada', 'defina BACKUP_KEY']
  for (const [index, sentence] of sentences.entries()) expect(refused[index]?.output).toContain(sentence)
  expect(await contentOf(target)).toEqual(untouched)
  expect(existsSync(inFolder('sem-chave'))).toBe(false)

  expect((await run('restore', withKey(target, key), file, '--substituir')).code).toBe(0)
  expect(await contentOf(target)).toEqual(before)
  expect((await run('restore', withKey(embedded('sem-cifra'), key), backup)).code).toBe(0)
  expect(await contentOf(embedded('sem-cifra'))).toEqual(before)
})

test('a backup that is impossible ends with a message and an exit code and leaves no file', async () => {
  const file = inFolder('nada.mobiliza')
  const results = [await run('backup', embedded('vazio'), file), await run('backup', await postgres('vazio'), file)]
  const misused = [await run('backup', source), await run('restore', source, file, '--substitui')]

  expect(results.map(({ code }) => code)).toEqual([1, 1])
  expect(misused.map(({ code, output }) => [code, output.slice(0, 4)])).toEqual([
    [2, 'Uso:'],
    [2, 'Uso:'],
  ])
  expect([existsSync(file), existsSync(inFolder('vazio'))]).toEqual([false, false])
})

test('a backup of a running embedded site rejects no signature and is consistent', async () => {
  const site = embedded('no-ar')
  await fill(site)
  const server = await startServer(site)
  const signers = startSigners({ url: server.url, people: 8, otherwise: 'leave' })
  await signers.more(300)
  const acknowledgedBefore = new Map(signers.acknowledged)

  const written = await run('backup', site, inFolder('no-ar.mobiliza'))
  await signers.more(50)
  await signers.stop()
  const leftovers = readdirSync(inFolder('no-ar')).filter((name) => name === 'copia')
  const stopped = await server.stop()
  const restored = await run('restore', embedded('de-volta'), inFolder('no-ar.mobiliza'))

  expect([written.code, restored.code, stopped, leftovers.length]).toEqual([0, 0, 0, 0])
  expect(Object.keys(signers.outcomes())).toEqual(['201'])
  const audit = await auditData(embedded('de-volta'), acknowledgedBefore)
  // Signatures between the count and the start of the copy are in the backup too.
  expect({ ...audit, unacknowledged: [] }).toEqual(noViolations)
})

test.each([
  ['the embedded engine', async () => embedded('removidos')],
  ['PostgreSQL', async () => ({ ...(await postgres('removidos')), dataDir: inFolder('removidos-postgres') })],
])('on %s, a restore keeps removals and opt-outs made after the backup, and sends no old e-mail', async (_, open) => {
  const site = await open()
  await fill(site)
  const file = inFolder(`removidos-${site.env ? 'p' : 'e'}.mobiliza`)
  const deliver = { ...site, env: { ...site.env, DELIVERIES: 'on', EMAILS_PER_MINUTE: '60000', PUBLIC_URL: origin } }
  const outbox = () => readdirSync(join(site.dataDir ?? '', 'emails'), { recursive: true, encoding: 'utf8' }).sort()

  // Each person gets an e-mail. The e-mail to the last one is still queued when the backup is made.
  let server = await startServer(deliver)
  for (const email of ['fica', 'sai', 'silencia', 'some']) expect(await sign(server.url, email)).toBe(201)
  const linkOf = (email: string, path: string) => {
    const mails = outbox().filter((name) => name.endsWith('.eml'))
    const mail = mails
      .map((name) => readFileSync(join(site.dataDir ?? '', 'emails', name), 'utf8'))
      .find((text) => text.includes(`To: ${email}@`))
    return new RegExp(`(/${path}/[\\w-]+)`).exec(decodeQuoted(mail ?? ''))?.[1]
  }
  await expect
    .poll(() => ['fica', 'sai', 'silencia', 'some'].filter((email) => linkOf(email, 'descadastrar')), {
      timeout: 30_000,
    })
    .toHaveLength(4)
  await server.stop()
  server = await startServer(site)
  expect(await sign(server.url, 'tarde')).toBe(201)
  // A repeated signature, which waits for its processing.
  expect(await sign(server.url, 'fica')).toBe(201)
  await server.stop()
  await withClient(site, (client) =>
    client.query(
      `insert into imports (kind, status, "fileName", file, author)
      select 'assinaturas', status, 'lista.csv', $1, 'a' from unnest(array['staged', 'running', 'done']) status`,
      [gzipSync(stagedLine({ line: 2, cells: ['Fulana', 'some@example.org'] }))],
    ),
  )
  await withClient(site, (client) =>
    client.query(
      `with items as (
        insert into news ("campaignId", title, html, segment, status, "publishAt", author)
        select campaigns.id, title, '', '{}', case title when 'scheduled' then title else 'published' end,
          case title when 'scheduled' then now() - interval '1 minute' end, 'a'
        from unnest(array['done', 'paused', 'scheduled', 'sending']) title, campaigns
        where campaigns.id = (select min(id) from campaigns) returning id, title),
      sends as (
        insert into news_sends ("newsId", status, "sendsWhenPrepared", segment, "queuedUpTo", "isQueued")
        select id, title, true, '{}', sha256('x'), true from items where title <> 'scheduled')
      insert into outbox (kind, payload, dead, "dueAt", reason)
      select 'novidade', jsonb_build_object('novidade', id, 'destinatario', encode(sha256('x'), 'base64')), title = 'done',
        case title when 'paused' then 'infinity' else now() end, case title when 'done' then 'parada' end
      from items where title <> 'scheduled'`,
    ),
  )
  expect((await run('backup', site, file)).code).toBe(0)
  // The site itself would publish it.
  await withClient(site, (client) => client.query(`update news set status = 'draft' where status = 'scheduled'`))

  server = await startServer(deliver)
  await expect.poll(() => linkOf('tarde', 'descadastrar'), { timeout: 30_000 }).toBeDefined()
  for (const [email, path, body] of [
    ['some', 'nao-fui-eu', {}],
    ['sai', 'descadastrar', {}],
    ['silencia', 'descadastrar', { escolha: 'nunca' }],
  ] as const) {
    const answer = await fetch(server.url + linkOf(email, path), {
      method: 'POST',
      body: new URLSearchParams(body),
      redirect: 'manual',
    })
    expect(answer.status).toBeLessThan(400)
  }
  const sent = outbox().length
  const running = await run('restore', site, file, '--substituir')
  await server.stop()
  const restored = await run('restore', site, file, '--substituir')

  expect([running.code, restored.code]).toEqual([1, 0])
  expect(running.output).toContain(site.env ? 'há um servidor do Mobiliza ligado a este banco' : 'já está em uso')
  expect(restored.output).toContain('remoções feitas depois da cópia: 1; descadastros: 2')
  const state = await withClient(site, async (client) => {
    const { rows: people } = await client.query('select email from peticoes order by 1')
    const { rows: left } = await client.query(
      'select "unsubscribedAt" is not null as news, "doNotContactAt" is not null as everything from enderecos order by 2',
    )
    const { rows: counts } = await client.query(`select sum(n)::int as n from ${signatureCountsSql}`)
    const { rows: repeats } = await client.query(`select 1 from outbox where kind = 'pedidos-repetidos'`)
    const { rows: imports } = await client.query(
      'select status, file, reason is not null as explained from imports order by id',
    )
    const { rows: news } = await client.query(
      `select n.status, s.status as sending, s."queuedUpTo" is not null or s."isQueued" as queued
      from news n left join news_sends s on s."newsId" = n.id where n.html = '' order by n.title`,
    )
    const { rows: waiting } = await client.query(`select reason from outbox where kind = 'novidade'`)
    return { news, waiting, imports, people: people.map(({ email }) => email.split('@')[0]), left, counts, repeats }
  })
  expect(state).toEqual({
    news: [
      { status: 'published', sending: 'done', queued: true },
      // Its queued recipients are not in the outbox any more.
      { status: 'published', sending: 'paused', queued: false },
      { status: 'draft', sending: null, queued: null },
      { status: 'published', sending: 'paused', queued: false },
    ],
    waiting: [{ reason: 'parada' }],
    // Their files may contain people who were erased after the backup.
    imports: [
      { status: 'cancelled', file: null, explained: true },
      { status: 'cancelled', file: null, explained: true },
      { status: 'done', file: null, explained: false },
    ],
    people: ['fica', 'sai', 'silencia', 'tarde'],
    left: [
      { news: true, everything: false },
      { news: true, everything: true },
    ],
    counts: [{ n: 4 }],
    repeats: [],
  })
  server = await startServer(deliver)
  await delay(3_000)
  await server.stop()
  expect(outbox()).toHaveLength(sent)
  expect(readFileSync(join(site.dataDir ?? '', 'remocoes.txt'), 'utf8')).not.toContain('example.org')
})

const origin = 'https://mobiliza.example.org'

const sign = async (url: string, name: string) =>
  (await postJson(`${url}/api/peticoes`, aSignature({ email: `${name}@example.org` }))).status

/** A line of a mail ends with '=' where it was wrapped. */
const decodeQuoted = (text: string) => text.replace(/=\r?\n/g, '')

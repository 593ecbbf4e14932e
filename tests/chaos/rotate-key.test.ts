// npm run rotate-key on both engines, while the site is running, and killed in the middle.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createEncryption, type Encryption } from '#server/core/encryption.ts'
import { runningConnection } from '#server/db/embedded.ts'
import { encryptReserved } from '#server/db/reserved-data.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { run } from '#tests/helpers/command.ts'
import { readCsv } from '#tests/helpers/csv-reader.ts'
import { downloadExport } from '#tests/helpers/exported.ts'
import { aContact, aLeader } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { createCluster } from '#tests/helpers/postgres.ts'
import { type ServerProcess, type ServerSettings, startServer, temporaryFolder } from '#tests/helpers/server-process.ts'

const credentials = { username: 'admin', password: 'senha-de-teste-123' }
const passwordOnly = { ADMIN_PASSWORD: credentials.password }

async function apply({ url }: ServerProcess) {
  const leader = aLeader()
  expect((await postJson(`${url}/api/formulario-lideres`, leader)).status).toBe(201)
  return leader
}

/** Leaders whose values are encrypted with `encryption`. Their CEP is their number. */
async function storeLeaders(connection: pg.ClientConfig, encryption: Encryption, count: number): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const rows = Array.from({ length: count }, (_, n) => {
    const id = crypto.randomUUID()
    const stored = encryptReserved(encryption, id, { ...aLeader(), cep: `n${n}` })
    const entries = Object.entries(stored).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value,
    ])
    return { id, ...Object.fromEntries(entries) }
  })
  await client.query(
    `insert into lideres select (jsonb_populate_record(l, given || jsonb_build_object('requestId', gen_random_uuid()))).*
    from lideres l, jsonb_array_elements($1::jsonb) given where l.id = (select min(id::text)::uuid from lideres)`,
    [JSON.stringify(rows)],
  )
  await client.end()
}

/** The reserved columns of all leaders, as an administrator exports them. */
async function exported(server: ServerProcess): Promise<string> {
  const admin = await enter(server, credentials)
  const path = '/api/admin/pessoas/lideres/exportar?formato=csv&reservados=sim'
  const { file } = await downloadExport(await admin.call('GET', path))
  return file.toString()
}
/** An unreadable one is empty. */
function ceps(text: string): Set<string | undefined> {
  const [titles = [], ...rows] = readCsv(text)
  return new Set(rows.map((row) => row[titles.indexOf('CEP')]))
}

function startRotation(dataDir: string): { child: ChildProcess; printed(text: string): Promise<void> } {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/server/rotate-key.ts'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  })
  let output = ''
  return {
    child,
    printed: (text) =>
      new Promise((resolve, reject) => {
        child.stdout?.on('data', (chunk) => {
          output += chunk
          if (output.includes(text)) resolve()
        })
        child.once('exit', () => reject(new Error(output)))
      }),
  }
}

test('the key of an embedded site is replaced while it is running, also after a kill in the middle', {
  timeout: 300_000,
}, async () => {
  const dataDir = temporaryFolder()
  const settings = { dataDir, env: { ...passwordOnly, DATA_KEY: '' } }
  let server = await startServer(settings)
  onTestFinished(() => server.kill())
  const secrets = () => JSON.parse(readFileSync(join(dataDir, 'segredos.json'), 'utf8')) as Record<string, string>
  const oldKey = secrets().DATA_KEY ?? ''
  const people = [await apply(server)]
  await storeLeaders(runningConnection(dataDir), createEncryption(oldKey), 3_000)

  const { child, printed } = startRotation(dataDir)
  await printed('… 2.000')
  expect(await run('rotate-key', { dataDir })).toMatchObject({
    code: 1,
    output: expect.stringContaining('outra troca de chave está em andamento'),
  })
  child.kill('SIGKILL')
  const between = secrets()
  expect(between.DATA_KEY_PREVIOUS).toBe(oldKey)

  // The running server reads both keys, and a restarted one too.
  people.push(await apply(server))
  const half = await exported(server)
  for (const { cpf, endereco } of people) expect([half.includes(cpf), half.includes(endereco)]).toEqual([true, true])
  expect(ceps(half).size).toBeGreaterThanOrEqual(3_000)
  await server.kill()
  server = await startServer(settings)
  expect(ceps(await exported(server))).toEqual(ceps(half))

  const rotation = run('rotate-key', { dataDir })
  people.push(await apply(server))
  expect(await rotation).toMatchObject({ code: 0, output: expect.stringContaining('Com outra chave: 0') })
  expect(secrets()).toMatchObject({ DATA_KEY: between.DATA_KEY })
  expect(secrets()).not.toHaveProperty('DATA_KEY_PREVIOUS')
  const [kept = ''] = readdirSync(dataDir).filter((name) => name.startsWith('chave-anterior-'))
  expect(readFileSync(join(dataDir, kept), 'utf8')).toBe(`DATA_KEY_PREVIOUS=${oldKey}\n`)
  people.push(await apply(server))
  await server.stop()
  server = await startServer(settings)
  const whole = await exported(server)
  for (const { cpf, endereco } of people) expect([whole.includes(cpf), whole.includes(endereco)]).toEqual([true, true])
  expect(ceps(whole).size).toBeGreaterThanOrEqual(3_000)
})

test('the key of a stopped embedded site is replaced, and only the old key reads older backups', {
  timeout: 120_000,
}, async () => {
  const dataDir = temporaryFolder()
  const settings = { dataDir, env: { ...passwordOnly, DATA_KEY: '' } }
  const first = await startServer(settings)
  const leader = await apply(first)
  await first.stop()
  const file = join(temporaryFolder(), 'antes.mobiliza')
  expect((await run('backup', { dataDir }, file)).code).toBe(0)

  expect((await run('rotate-key', { dataDir })).code).toBe(0)

  expect((await run('restore', { dataDir }, file, '--substituir')).code).toBe(0)
  const [kept = ''] = readdirSync(dataDir).filter((name) => name.startsWith('chave-anterior-'))
  const [, oldKey = ''] = /=(.*)\n/.exec(readFileSync(join(dataDir, kept), 'utf8')) ?? []
  const without = await startServer(settings)
  expect(await exported(without)).not.toContain(leader.cpf)
  await without.stop()
  const env = { ...settings.env, DATA_KEY_PREVIOUS: oldKey }
  const second = await startServer({ dataDir, env })
  onTestFinished(() => second.kill())
  expect(await exported(second)).toContain(leader.cpf)
  expect(existsSync(join(dataDir, 'segredos.json.novo'))).toBe(false)
})

test('the key of a PostgreSQL site is replaced by the settings and the command', { timeout: 120_000 }, async () => {
  const cluster = await createCluster({ fsync: 'off' })
  onTestFinished(() => cluster.remove())
  const [oldKey, key] = [0, 1].map(() => randomBytes(32).toString('base64')) as [string, string]
  const database = { DATABASE_URL: await cluster.createDatabase('site'), ...passwordOnly }
  const dataDir = temporaryFolder()
  const before = await startServer({ dataDir, env: { ...database, DATA_KEY: oldKey } })
  const leader = await apply(before)
  await before.stop()
  const both = { ...database, DATA_KEY: key, DATA_KEY_PREVIOUS: oldKey }
  const during = await startServer({ dataDir, env: both })
  expect(await exported(during)).toContain(leader.cpf)

  const without = await run('rotate-key', { dataDir, env: { ...database, DATA_KEY: key } })
  expect(without).toMatchObject({ code: 1, output: expect.stringMatching(/3 valores .* DATA_KEY_PREVIOUS/) })
  const result = await run('rotate-key', { dataDir, env: both })
  expect(result).toMatchObject({ code: 0, output: expect.stringContaining('cifrados de novo: 3. Com outra chave: 0') })
  expect((await run('rotate-key', { dataDir, env: database })).output).toContain('defina DATA_KEY')

  await during.stop()
  const after = await startServer({ dataDir, env: { ...database, DATA_KEY: key } })
  onTestFinished(() => after.kill())
  expect(await exported(after)).toContain(leader.cpf)
  expect(await exported(after)).toContain(leader.endereco)
})

test('a key of addresses that cannot be read stops the start, and a command replaces it', {
  timeout: 120_000,
}, async () => {
  const cluster = await createCluster({ fsync: 'off' })
  onTestFinished(() => cluster.remove())
  const site = async (name: string, database: string): Promise<ServerSettings> => ({
    dataDir: join(temporaryFolder(), name),
    env: {
      ...{ DATABASE_URL: await cluster.createDatabase(database), ...passwordOnly },
      DATA_KEY: randomBytes(32).toString('base64'),
    },
  })
  const [known, restored] = [await site('conhecida', 'site'), await site('restaurada', 'restaurado')]
  const unknown = { ...restored, env: { ...restored.env, DATABASE_URL: known.env?.DATABASE_URL ?? '' } }
  const file = join(temporaryFolder(), 'copia.mobiliza')
  const client = new pg.Client(known.env?.DATABASE_URL)
  const first = await startServer(known)
  await client.connect()
  onTestFinished(() => client.end())
  await postJson(`${first.url}/api/contacts`, aContact({ aceitaNovidades: true }))
  await client.query(`insert into enderecos ("addressHmac", "unsubscribedAt") values ('\\x00', now())`)
  const replace = (settings: ServerSettings) => run('rotate-key', settings, '--enderecos-perdidos')
  const consents = async (settings: ServerSettings) => {
    const connection = new pg.Client(settings.env?.DATABASE_URL)
    await connection.connect()
    const { rows } = await connection.query('select "aceitaNovidades" as accepts from contacts')
    await connection.end()
    return rows
  }

  expect(await replace(unknown)).toMatchObject({ code: 1, output: expect.stringContaining('há um servidor') })
  await first.stop()
  expect(await replace(known)).toMatchObject({ code: 1, output: expect.stringContaining('não precisa ser trocada') })
  await expect(startServer(unknown)).rejects.toThrow('rode npm run rotate-key -- --enderecos-perdidos')
  expect(await consents(known)).toEqual([{ accepts: true }])
  expect((await run('backup', known, file)).code).toBe(0)

  expect(await replace(unknown)).toMatchObject({ code: 0, output: expect.stringContaining('agora ninguém as recebe') })
  expect(await consents(known)).toEqual([{ accepts: false }])
  await (await startServer(unknown)).stop()

  // A new server that has only the backup.
  expect(await run('restore', restored, file)).toMatchObject({
    code: 0,
    output: expect.stringContaining('restaure de novo com a DATA_KEY daquele site'),
  })
  expect(await consents(restored)).toEqual([{ accepts: false }])
  await (await startServer(restored)).stop()
  const env = { ...restored.env, DATA_KEY: String(known.env?.DATA_KEY) }
  const again = { dataDir: join(temporaryFolder(), 'de-novo'), env }
  expect((await run('restore', again, file, '--substituir')).output).not.toContain('DATA_KEY daquele site')
  expect(await consents(again)).toEqual([{ accepts: true }])
})

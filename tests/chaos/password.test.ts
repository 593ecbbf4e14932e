// The way back for an administrator who lost the password, from the server's own terminal, on both engines.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { engines, type Site } from '#tests/chaos/sites.ts'
import { type Ended, run } from '#tests/helpers/command.ts'
import { createCluster } from '#tests/helpers/postgres.ts'
import { type ServerProcess, startServer, temporaryFolder } from '#tests/helpers/server-process.ts'

const first = 'senha-de-teste-123'

interface Answer {
  status: number
  token?: string
  members?: { id: number; username: string; isActive: boolean; sessions: number }[]
  deeds?: { username: string; deed: string; subject: string }[]
}

async function call(
  { url }: ServerProcess,
  path: string,
  { token, body }: { token?: string | undefined; body?: object } = {},
) {
  const answer = await fetch(`${url}/api/admin${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, ...(await answer.json()) } as Answer
}

const logIn = (server: ServerProcess, username: string, password: string) =>
  call(server, '/login', { body: { username, password } })

const start = ({ settings: { env, ...rest } }: Site) =>
  startServer({ ...rest, env: { ...env, ADMIN_PASSWORD: first, LOG_LEVEL: 'trace' } })

function passwordIn({ output }: Ended): string {
  return /^Senha nova de \S+: (\w{5}(?:-\w{5}){3})$/m.exec(output)?.[1] ?? output
}

test.each(engines)(
  'on %s the operator gives an account a new password, which ends the old one and every session',
  {
    timeout: 300_000,
  },
  async (_, open) => {
    const site = await open()
    const isEmbedded = !site.settings.env?.DATABASE_URL
    const servers = [await start(site)]
    const server = () => servers.at(-1) as ServerProcess
    try {
      const { token } = await logIn(server(), 'admin', first)
      const fulana = { username: 'fulana', email: 'fulana@example.org', password: first }
      await call(server(), '/equipe', { token, body: fulana })
      const { members = [] } = await call(server(), '/equipe', { token })
      const id = members.find(({ username }) => username === 'fulana')?.id
      await call(server(), `/equipe/${id}/desativar`, { token, body: {} })
      const early = isEmbedded ? await run('password', site.settings, 'admin') : undefined
      const stillIn = await call(server(), '/sessao', { token })
      if (isEmbedded) await server().stop()

      const ends = [
        await run('password', site.settings, 'Admin'),
        await run('password', site.settings, 'fulana'),
        await run('password', site.settings, 'ninguem'),
      ] as const
      if (isEmbedded) servers.push(await start(site))

      if (early) {
        expect(early.code).toBe(1)
        expect(early.output).toContain('Pare o site')
        expect(early.output).not.toContain('Configuração inválida')
      }
      expect(stillIn.status).toBe(200)
      expect(ends.map(({ code }) => code)).toEqual([0, 0, 1])
      expect((await call(server(), '/sessao', { token })).status).toBe(401)
      expect((await logIn(server(), 'admin', first)).status).toBe(401)
      expect((await logIn(server(), 'fulana', first)).status).toBe(401)
      const [made, other] = [passwordIn(ends[0]), passwordIn(ends[1])]
      expect(ends[0].output).toContain('Senha nova de admin: ')
      expect(ends[1].output).toContain('A conta estava desativada e está ativa de novo.')
      expect((await logIn(server(), 'fulana', other)).status).toBe(200)
      const again = await logIn(server(), 'admin', made)
      expect(again.status).toBe(200)
      expect(ends[2].output).toBe(
        '\nNada foi feito: não há administrador com esse usuário. Administradores ativos: admin, fulana.\n',
      )
      const { deeds = [] } = await call(server(), '/registro?pessoa=operador%20(terminal)', again)
      expect(deeds.map(({ deed, subject }) => [deed, subject])).toEqual([
        ['Ativou administrador', 'fulana'],
        ['Redefiniu a senha de administrador', 'fulana'],
        ['Redefiniu a senha de administrador', 'admin'],
      ])
      const logged = servers.map((each) => each.output()).join()
      for (const secret of [made, other]) expect(logged + JSON.stringify(deeds)).not.toContain(secret)
    } finally {
      await server().stop()
      await site.remove()
    }
  },
)

test('without a database of ours, or without a name, it says so and makes nothing', async () => {
  const [folder, cluster] = [temporaryFolder(), await createCluster()]
  try {
    const empty = { dataDir: join(folder, 'nada'), env: { DATABASE_URL: await cluster.createDatabase('vazio') } }
    const missing = { dataDir: join(folder, 'nada') }

    const ends = [await run('password', missing, 'admin'), await run('password', empty, 'admin')]
    const misused = [await run('password', missing), await run('password', missing, 'admin', '--todos')]

    expect(ends.map(({ code }) => code)).toEqual([1, 1])
    expect(ends[0]?.output).toContain('não há banco em')
    expect(ends[1]?.output).toContain('Inicie o site uma vez antes')
    expect(misused.map(({ code, output }) => [code, output])).toEqual(
      Array(2).fill([2, 'Uso: npm run password -- USUÁRIO\n']),
    )
    expect(existsSync(missing.dataDir)).toBe(false)
  } finally {
    await cluster.remove()
    rmSync(folder, { recursive: true, force: true })
  }
})

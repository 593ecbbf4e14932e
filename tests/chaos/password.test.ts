// Password reset by the operator on the server's terminal, on both engines.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { engines, type Site } from '#tests/chaos/sites.ts'
import { type CommandResult, run } from '#tests/helpers/command.ts'
import { createCluster } from '#tests/helpers/postgres.ts'
import { type ServerProcess, startServer, temporaryFolder } from '#tests/helpers/server-process.ts'

const initialPassword = 'senha-de-teste-123'

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
  startServer({ ...rest, env: { ...env, ADMIN_PASSWORD: initialPassword, LOG_LEVEL: 'trace' } })

function passwordIn({ output }: CommandResult): string {
  return /^Senha nova de \S+: (\w{5}(?:-\w{5}){3})$/m.exec(output)?.[1] ?? output
}

test.each(engines)(
  'on %s a new password for an account invalidates the old one and all its sessions',
  {
    timeout: 300_000,
  },
  async (_, open) => {
    const site = await open()
    const isEmbedded = !site.settings.env?.DATABASE_URL
    const servers = [await start(site)]
    const server = () => servers.at(-1) as ServerProcess
    try {
      const { token } = await logIn(server(), 'admin', initialPassword)
      const fulana = { username: 'fulana', email: 'fulana@example.org', password: initialPassword }
      await call(server(), '/equipe', { token, body: fulana })
      const { members = [] } = await call(server(), '/equipe', { token })
      const id = members.find(({ username }) => username === 'fulana')?.id
      await call(server(), `/equipe/${id}/desativar`, { token, body: {} })
      const early = isEmbedded ? await run('password', site.settings, 'admin') : undefined
      const stillIn = await call(server(), '/sessao', { token })
      if (isEmbedded) await server().stop()

      const results = [
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
      expect(results.map(({ code }) => code)).toEqual([0, 0, 1])
      expect((await call(server(), '/sessao', { token })).status).toBe(401)
      expect((await logIn(server(), 'admin', initialPassword)).status).toBe(401)
      expect((await logIn(server(), 'fulana', initialPassword)).status).toBe(401)
      const [newPassword, otherPassword] = [passwordIn(results[0]), passwordIn(results[1])]
      expect(results[0].output).toContain('Senha nova de admin: ')
      expect(results[1].output).toContain('A conta estava desativada e está ativa de novo.')
      expect((await logIn(server(), 'fulana', otherPassword)).status).toBe(200)
      const again = await logIn(server(), 'admin', newPassword)
      expect(again.status).toBe(200)
      expect((await call(server(), '/equipe', again)).status).toBe(403)
      const change = { current: newPassword, password: 'escolhida-por-mim' }
      expect((await call(server(), '/conta/senha', { ...again, body: change })).status).toBe(200)
      expect(results[2].output).toBe(
        '\nNada foi feito: não há administrador com esse usuário. Administradores ativos: admin, fulana.\n',
      )
      const { deeds = [] } = await call(server(), '/registro?pessoa=operador%20(terminal)', again)
      expect(deeds.map(({ deed, subject }) => [deed, subject])).toEqual([
        ['Ativou administrador', 'fulana'],
        ['Redefiniu a senha de administrador', 'fulana'],
        ['Redefiniu a senha de administrador', 'admin'],
      ])
      const logged = servers.map((each) => each.output()).join()
      for (const secret of [newPassword, otherPassword]) expect(logged + JSON.stringify(deeds)).not.toContain(secret)
    } finally {
      await server().stop()
      await site.remove()
    }
  },
)

test('without a database of the site or without a username, it prints a message and creates nothing', async () => {
  const [folder, cluster] = [temporaryFolder(), await createCluster()]
  try {
    const empty = { dataDir: join(folder, 'nada'), env: { DATABASE_URL: await cluster.createDatabase('vazio') } }
    const missing = { dataDir: join(folder, 'nada') }

    const results = [await run('password', missing, 'admin'), await run('password', empty, 'admin')]
    const misused = [await run('password', missing), await run('password', missing, 'admin', '--todos')]

    expect(results.map(({ code }) => code)).toEqual([1, 1])
    expect(results[0]?.output).toContain('não há banco em')
    expect(results[1]?.output).toContain('Inicie o site uma vez antes')
    expect(misused.map(({ code, output }) => [code, output])).toEqual(
      Array(2).fill([2, 'Uso: npm run password -- USUÁRIO [--sem-segundo-fator]\n']),
    )
    expect(existsSync(missing.dataDir)).toBe(false)
  } finally {
    await cluster.remove()
    rmSync(folder, { recursive: true, force: true })
  }
})

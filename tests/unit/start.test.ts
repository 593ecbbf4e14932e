// npm start, npm run dev and the commands: checks before the installation, and the installation.
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort } from '#tests/helpers/postgres.ts'
import { startServer, temporaryFolder } from '#tests/helpers/server-process.ts'
import {
  createSmallProject,
  nodePackage,
  occupyPort,
  removeTemplate,
  type SmallProject,
} from '#tests/helpers/small-project.ts'

afterAll(removeTemplate)

const busyPortMessage = (port: number) =>
  `Configuração inválida:\n  - a porta ${port} já está em uso por outro programa. Escolha outra. Exemplo: PORT=${port + 1}\n`

describe('a busy port', () => {
  test.each(['start', 'dev'])('is reported by %s before anything is installed', async (script) => {
    const project = createSmallProject()
    const port = await occupyPort()

    const { code, output } = await project.run(script, { PORT: String(port) })

    expect({ code, output }).toEqual({ code: 1, output: `\n${busyPortMessage(port)}` })
    expect([project.has('node_modules'), project.has('dist')]).toEqual([false, false])
  })

  test('is reported by the server with the same message before the data folder exists', async () => {
    const dataDir = join(temporaryFolder(), 'dados')
    const port = await occupyPort()

    await expect(startServer({ port, dataDir })).rejects.toThrow(busyPortMessage(port))
    expect(() => statSync(dataDir)).toThrow('ENOENT')
  })

  test('is reported when only .env contains it', async () => {
    const project = createSmallProject()
    const port = await occupyPort()
    project.write('.env', `PORT=${port}\n`)

    expect((await project.run('start')).output).toContain(busyPortMessage(port))
  })
})

describe('.env', () => {
  test.each(['start', 'dev', 'backup', 'restore', 'password'])(
    'is read by %s, and the environment takes precedence',
    async (script) => {
      const project = createSmallProject()
      const port = String(await freePort())
      project.write(
        '.env',
        '\uFEFF# comentário\r\nPORT=1\r\nexport PUBLIC_URL="https://mobiliza.example.org" # fim\r\n',
      )

      const { code, output } = await project.run(script, { PORT: port })

      expect(output).toContain(`settings {"PORT":"${port}","PUBLIC_URL":"https://mobiliza.example.org"}`)
      expect(code).toBe(0)
    },
  )

  test.each([
    ['PORT=3000\nPUBLIC_URL https://mobiliza.example.org\n', 'a linha 2 não foi entendida. Cada linha é NOME=valor'],
    ['\nADMIN_PASSWORD="sem-fim\nPORT=3000\n', 'as aspas abertas na linha 2 não foram fechadas'],
    ['ADMIN_PASSWORD=senha#secreta\n', 'na linha 1, o que vem depois de # seria ignorado'],
    [Buffer.from('PORT=3000\n', 'utf16le').toString('latin1'), 'a linha 1 não foi entendida'],
  ])('%j stops the start with a message that contains no value', async (content, message) => {
    const project = createSmallProject()
    project.write('.env', content)

    const { code, output } = await project.run('start', { PORT: '0' })

    expect(output).toContain(`${join(project.folder, '.env')}: ${message}`)
    expect(output).not.toMatch(/sem-fim|secreta|at file/)
    expect([code, project.has('node_modules')]).toEqual([1, false])
  })

  test('a .env that cannot be read is reported', async () => {
    const project = createSmallProject()
    project.write('.env/sub/arquivo', '')

    const { output } = await project.run('start', { PORT: '0' })

    expect(output).toContain('.env: não foi possível ler este arquivo (é uma pasta).')
  })
})

describe('packages', () => {
  const modified = (file: string) => statSync(file).ctimeMs

  test('are installed once for npm start and once more for npm run dev, which keeps the installed ones', {
    tags: ['slow'],
  }, async () => {
    const project = createSmallProject()
    const env = { PORT: '0' }
    const running = join(project.folder, 'node_modules/for-running/index.js')

    const outputs = [(await project.run('start', env)).output]
    const installedAt = modified(running)
    expect(project.has('node_modules/for-development')).toBe(false)
    for (const script of ['start', 'dev', 'start', 'dev']) outputs.push((await project.run(script, env)).output)

    expect(outputs.map((output) => output.includes('Instalando'))).toEqual([true, false, true, false, false])
    expect(outputs.map((output) => output.includes('Montando'))).toEqual([true, false, false, false, false])
    expect(modified(running)).toBe(installedAt)
    expect(project.has('node_modules/for-development/index.js')).toBe(true)
  })

  test('that were installed with npm itself are not installed again', { tags: ['slow'] }, async () => {
    const project = createSmallProject()
    execFileSync('npm', ['ci', '--offline'], { cwd: project.folder, stdio: 'pipe' })

    for (const script of ['dev', 'start'])
      expect((await project.run(script, { PORT: '0' })).output).not.toContain('Instalando')
  })

  test('that are not the ones of package-lock.json stop the start, the Node of the project too', {
    tags: ['slow'],
  }, async () => {
    const project = createSmallProject()
    appendFileSync(join(project.folder, `packages/${nodePackage}-1.0.0.tgz`), 'x')

    const { code, output } = await project.run('start', { PORT: '0' })

    expect(output).toContain('não é o que package-lock.json espera')
    expect([code, project.has('node_modules/.bin/node')]).toEqual([1, false])
  })

  test('of an earlier Node are replaced when package-lock.json has another one', { tags: ['slow'] }, async () => {
    const project = createSmallProject()
    await project.run('start', { PORT: '0' })
    const installed = `node_modules/${nodePackage}/package.json`
    project.write(installed, JSON.stringify({ name: nodePackage, version: '0.9.0', bin: { node: 'bin/node' } }))
    rmSync(join(project.folder, 'node_modules/.package-lock.json'))

    const { output } = await project.run('start', { PORT: '0' })

    expect(output).toContain('Instalando')
    expect(JSON.parse(readFileSync(join(project.folder, installed), 'utf8')).version).toBe('1.0.0')
  })

  test('are complete for npm run dev although NODE_ENV is production, and missing ones are installed again', {
    tags: ['slow'],
  }, async () => {
    const project = createSmallProject()
    await project.run('dev', { PORT: '0', NODE_ENV: 'production' })
    expect(project.has('node_modules/for-development/index.js')).toBe(true)

    rmSync(join(project.folder, 'node_modules'), { recursive: true })
    await project.run('start', { PORT: '0' })
    expect(project.has('node_modules/for-running/index.js')).toBe(true)
  })
})

describe('a system without libatomic', () => {
  /** The project's Node fails until `apt-get` has installed the library. */
  function withoutLibrary(project: SmallProject, aptScript: string): Record<string, string> {
    const library = join(project.folder, 'library')
    const program = (file: string, script: string) => {
      project.write(file, `#!/bin/sh\n${script}\n`)
      chmodSync(join(project.folder, file), 0o755)
    }
    const failure = `echo 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file' >&2; exit 127`
    program('node_modules/.bin/node', `[ -e ${library} ] || { ${failure}; }\nexec ${process.execPath} "$@"`)
    program('bin/apt-get', aptScript.replace('LIBRARY', library))
    return { PORT: '0', PATH: `${join(project.folder, 'bin')}:${process.env.PATH}` }
  }

  test.runIf(process.getuid?.() === 0)('gets it from npm start when root runs it', async () => {
    const project = createSmallProject()
    await project.run('start', { PORT: '0' })
    const env = withoutLibrary(project, 'case "$*" in *libatomic1*) touch LIBRARY ;; esac')

    const outputs = [await project.run('start', env), await project.run('start', env)].map(({ output }) => output)

    expect(outputs.map((output) => output.includes('Instalando a biblioteca libatomic'))).toEqual([true, false])
    for (const output of outputs) expect(output).toContain('settings')
  })

  test('gets a message with the package to install on every start when npm start cannot install it', async () => {
    const project = createSmallProject()
    await project.run('start', { PORT: '0' })
    const env = withoutLibrary(project, 'exit 100')

    for (const _ of [1, 2]) {
      const { code, output } = await project.run('start', env)
      expect(code).toBe(1)
      expect(output).toContain('sudo apt-get install libatomic1')
      expect(output).not.toContain('settings')
    }
  })
})

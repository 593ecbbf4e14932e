// A tiny project with the real scripts/, installed by the real npm offline. Its server only prints its settings.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { CommandResult } from '#tests/helpers/command.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const printSettings = `const { PORT, PUBLIC_URL } = process.env\nconsole.log('settings', JSON.stringify({ PORT, PUBLIC_URL }))\n`

export interface SmallProject {
  folder: string
  write(file: string, content: string): void
  has(file: string): boolean
  /** Runs a script as `npm start`, `npm run dev` and the other npm commands do. */
  run(script: string, env?: Record<string, string>): Promise<CommandResult>
}

/** The project's Node for the system of the tests. */
export const nodePackage = 'node-for-this-system'

let template: string | undefined

/** A fresh clone: nothing is installed yet. */
export function createSmallProject(): SmallProject {
  template ??= makeTemplate()
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(template, folder, { recursive: true })
  return openProject(folder)
}

function openProject(folder: string): SmallProject {
  return {
    folder,
    write(file, content) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), content)
    },
    has: (file) => existsSync(join(folder, file)),
    run(script, env = {}) {
      const { PATH = '' } = process.env
      const child = spawn(process.execPath, [`scripts/${script}.mjs`, 'palavra'], {
        cwd: folder,
        env: { PATH, HOME: folder, HOST: '127.0.0.1', npm_config_offline: 'true', ...env },
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
      return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
    },
  }
}

function makeTemplate(): string {
  const folder = temporaryFolder()
  const { write } = openProject(folder)
  for (const path of ['scripts', '.npmrc']) cpSync(join(root, path), join(folder, path), { recursive: true })
  write('scripts/build.ts', `import { mkdirSync } from 'node:fs'\nmkdirSync('dist', { recursive: true })\n`)
  for (const file of [
    'scripts/dev.ts',
    'src/server/main.ts',
    'src/server/backup.ts',
    'src/server/restore.ts',
    'src/server/password.ts',
  ])
    write(file, printSettings)
  write('scripts/embedded-template.ts', `import { mkdirSync } from 'node:fs'\nmkdirSync('dist/embedded-template')\n`)
  for (const file of ['vite.config.ts', 'src/web/page.ts', 'src/contract/page.ts', 'src/server/db/migrations/0.sql'])
    write(file, '')
  const names = [nodePackage, 'for-running', 'for-development']
  for (const name of names) {
    const { platform, arch } = process
    const more = name === nodePackage ? { bin: { node: 'bin/node' }, os: platform, cpu: arch } : {}
    write(`packages/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', ...more }))
    write(`packages/${name}/index.js`, '')
  }
  write(`packages/${nodePackage}/bin/node`, `#!/bin/sh\nexec ${process.execPath} "$@"\n`)
  chmodSync(join(folder, `packages/${nodePackage}/bin/node`), 0o755)
  execFileSync('npm', ['pack', ...names.map((name) => `./${name}`), '--offline'], {
    cwd: join(folder, 'packages'),
    stdio: 'pipe',
  })
  const file = (name: string) => `file:packages/${name}-1.0.0.tgz`
  write(
    'package.json',
    JSON.stringify({
      ...{ name: 'small', version: '1.0.0', type: 'module' },
      dependencies: { 'for-running': file('for-running') },
      optionalDependencies: { [nodePackage]: file(nodePackage) },
      devDependencies: { 'for-development': file('for-development') },
    }),
  )
  execFileSync('npm', ['install', '--package-lock-only', '--offline'], { cwd: folder, stdio: 'pipe' })
  return folder
}

/** Call it after the last test of a file. */
export function removeTemplate(): void {
  if (template) rmSync(template, { recursive: true, force: true })
}

/** Listens on a port of 127.0.0.1, like another program, until the test ends. */
export async function occupyPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

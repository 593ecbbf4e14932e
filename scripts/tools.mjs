// What the tests need from the system: a browser and a usual face for it, a database server, a pooler, a web server. Installed where we may, asked for where we may not.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { run, StepFailed, step } from './run.mjs'

const tools = [
  { package: 'chromium', found: () => onPath('chromium') },
  // What stands in until our own faces have arrived, as Roboto does on phones: whether lines move is measured.
  {
    package: 'fonts-liberation',
    found: () => existsSync('/usr/share/fonts/truetype/liberation') || succeeds('fc-list | grep -q "Liberation Sans"'),
  },
  {
    package: 'postgresql',
    found: () =>
      versions().some((version) => existsSync(`/usr/lib/postgresql/${version}/bin/initdb`)) || onPath('initdb'),
  },
  { package: 'pgbouncer', found: () => onPath('pgbouncer') || existsSync('/usr/sbin/pgbouncer') },
  { package: 'openssl', found: () => onPath('openssl') },
  { package: 'nginx', found: () => onPath('nginx') || existsSync('/usr/sbin/nginx') },
]

export async function ensureTools() {
  const missing = tools.filter(({ found }) => !found()).map((tool) => tool.package)
  if (missing.length === 0) return
  const mayInstall = process.getuid?.() === 0 && onPath('apt-get')
  if (!mayInstall) {
    throw new StepFailed(
      `The tests need ${missing.join(', ')}. On Debian or Ubuntu: sudo apt-get install ${missing.join(' ')}`,
    )
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await step(`Installing ${missing.join(', ')}`, async () => {
    await run('apt-get', ['update', '-qq'], { env })
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env })
  })
}

const onPath = (name) => succeeds(`command -v ${name}`)

function succeeds(command) {
  try {
    execFileSync('sh', ['-c', command], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function versions() {
  return existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
}

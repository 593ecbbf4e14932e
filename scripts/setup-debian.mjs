// npm run setup:debian: installs the programs that the whole test suite needs, on Debian and Ubuntu. No service is started.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { endWith, run, StepFailed, step } from './run.mjs'

const packages = [
  'chromium',
  'chromium-headless-shell',
  // Stands in until the page's own fonts have arrived, as Roboto does on phones: whether lines move is measured.
  'fonts-liberation',
  'postgresql',
  'pgbouncer',
  'nginx',
  'openssl',
  // The project's Node needs it.
  'libatomic1',
]

/** Packages that bring a service start it, unless this file says no. */
const policy = '/usr/sbin/policy-rc.d'
const env = { DEBIAN_FRONTEND: 'noninteractive' }

async function install() {
  if (!existsSync('/usr/bin/apt-get'))
    throw new StepFailed('This is no Debian or Ubuntu: install the programs yourself.')
  if (process.getuid() !== 0)
    throw new StepFailed(`As root: apt-get install --no-install-recommends ${packages.join(' ')}`)
  await step('Reading package lists', () => run('apt-get', ['update', '-qq'], { env }))
  const known = []
  for (const name of packages) if (await isKnown(name)) known.push(name)
  const addsPolicy = !existsSync(policy)
  if (addsPolicy) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await step(`Installing ${known.join(', ')}`, () =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...known], { env }),
    )
  } finally {
    if (addsPolicy) rmSync(policy)
  }
}

/** Not every release has the browser without a window as a package of its own; the tests do without it. */
async function isKnown(name) {
  return (await run('apt-cache', ['search', '--names-only', `^${name}$`])) !== ''
}

install().catch(endWith)

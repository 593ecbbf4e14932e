// npm run setup:debian: installs the programs for the full test suite on Debian and Ubuntu. Starts no service.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { endWith, run, StepFailed, step } from './run.mjs'

const packages = [
  'chromium',
  'chromium-headless-shell',
  // The fallback until the web fonts have loaded, like Roboto on phones. Tests measure the layout shift.
  'fonts-liberation',
  'postgresql',
  'pgbouncer',
  'nginx',
  'openssl',
  // The Node of the project needs it.
  'libatomic1',
]

/** Debian starts the services of installed packages unless this file forbids it. */
const policy = '/usr/sbin/policy-rc.d'
const env = { DEBIAN_FRONTEND: 'noninteractive' }

async function install() {
  if (!existsSync('/usr/bin/apt-get'))
    throw new StepFailed('This is no Debian or Ubuntu: install the programs yourself.')
  if (process.getuid() !== 0)
    throw new StepFailed(`As root: apt-get install --no-install-recommends ${packages.join(' ')}`)
  await step('Reading package lists', () => run('apt-get', ['update', '-qq'], { env }))
  const available = []
  for (const name of packages) if (await isAvailable(name)) available.push(name)
  const addsPolicy = !existsSync(policy)
  if (addsPolicy) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await step(`Installing ${available.join(', ')}`, () =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...available], { env }),
    )
  } finally {
    if (addsPolicy) rmSync(policy)
  }
}

/** Some releases have no package for the headless shell of Chromium. The tests work without it. */
async function isAvailable(name) {
  return (await run('apt-cache', ['search', '--names-only', `^${name}$`])) !== ''
}

install().catch(endWith)

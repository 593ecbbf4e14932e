// deploy/one-server: the files agree with the program, with each other, and with the tools that read them.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defaultSettings } from '#contract/site-settings.ts'
import { readConfig } from '#server/core/config.ts'
import { findSampleSettings } from '#server/core/sample-settings.ts'
import { readSiteFile } from '#server/core/site.ts'
import { tableLockTimeoutMs } from '#server/db/migrate.ts'
import { defaultSite } from '#tests/helpers/default-site.ts'
import { deployed } from '#tests/helpers/deployed.ts'
import { writeNginxConfig } from '#tests/helpers/nginx.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { findProgram } from '#tests/helpers/tools.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'deploy/one-server')
const file = (name: string) => deployed(`one-server/${name}`)
const guide = readFileSync(join(root, 'docs/operar.md'), 'utf8')

/** Lines of the form NAME=value or #NAME=value. */
const settingLines = (text: string) =>
  [...text.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => ({ name, value }))

describe('the settings', () => {
  const source = readFileSync(join(root, 'src/server/core/config.ts'), 'utf8')
  const knownNames = new Set([...source.matchAll(/(?:setting(?:<.+>)?|days)\(\s*'([A-Z_]+)'/g)].map(([, name]) => name))
  const settings = settingLines(file('mobiliza.env.example'))

  test('are all known to the program', () => {
    expect(settings.length).toBeGreaterThan(10)
    expect(settings.filter(({ name }) => !knownNames.has(String(name)))).toEqual([])
  })

  test('are accepted after install.sh has filled in the empty ones', () => {
    const filled = Object.fromEntries(settings.map(({ name, value }) => [name, value]))
    const { SMTP_URL, GOOGLE_SERVICE_ACCOUNT, SITE_FILE, ...env } = filled
    const config = readConfig({ ...env, SITE_FILE: join(folder, 'site.example.json') })
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, trustProxy: ['127.0.0.1'] })
    for (const name of ['DATA_KEY', 'ADMIN_PASSWORD', 'BOTCONVERSA_WEBHOOK_TOKEN', 'DATABASE_URL', 'PUBLIC_URL'])
      expect(file('install.sh')).toContain(`s#^${name}=`)
  })

  test('contain no character that systemd and Node would read differently', () => {
    expect(settings.filter(({ value }) => /[\s"'#\\$`]/.test(String(value)))).toEqual([])
  })

  test('of the movement are the defaults and contain every sample value', () => {
    const example = join(folder, 'site.example.json')
    expect(readSiteFile(example)).toEqual({ settings: defaultSettings, locked: [] })
    const text = JSON.parse(readFileSync(example, 'utf8'))
    const exampleOf = (key: string) => key.split('.').reduce((part, name) => part?.[name], text)
    const keys = findSampleSettings(defaultSite, readConfig({ PUBLIC_URL: 'https://movimento.invalid' }))
    expect(keys.filter(({ key, value }) => exampleOf(key) !== value)).toEqual([])
  })
})

const changingPrograms = [
  ...['apt-get', 'useradd', 'install', 'systemctl', 'runuser', 'psql', 'caddy', 'nginx', 'certbot'],
  ...['cp', 'mv', 'rm', 'ln', 'mkdir', 'chmod', 'chown', 'tee'],
]

describe('the scripts', () => {
  test.each(['install.sh', 'mobiliza'])('%s can be parsed and is executable', (name) => {
    execFileSync('bash', ['-n', join(folder, name)])
    execFileSync('test', ['-x', join(folder, name)])
  })

  test.each(['caddy', 'nginx'])('install.sh --dry-run with %s prints every step and changes nothing', (proxy) => {
    const args = ['--domain', 'mobiliza.example.org', '--proxy', proxy, '--email', 'operacao@example.org', '--dry-run']
    const temporary = temporaryFolder()
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }))
    // Each of these scripts replaces a program that changes a server, and records its call.
    const calls = join(temporary, 'calls')
    for (const name of changingPrograms)
      writeFileSync(join(temporary, name), `#!/bin/sh\necho "\${0##*/} $*" >>${calls}\n`, { mode: 0o755 })
    const env = { ...process.env, PATH: `${temporary}:${process.env.PATH}` }
    const { status, stdout, stderr } = spawnSync(join(folder, 'install.sh'), args, { encoding: 'utf8', env })
    expect([status, stderr]).toEqual([0, ''])
    for (const part of ['postgresql', 'useradd', '/etc/mobiliza/mobiliza.env', 'mobiliza-backup.timer', proxy])
      expect(stdout).toContain(part)
    expect(stdout).toContain('Pronto: https://mobiliza.example.org')
    expect(existsSync(calls) ? readFileSync(calls, 'utf8') : '').toBe('')
  })

  test.each([
    [[]],
    [['--domain', 'https://mobiliza.example.org', '--dry-run']],
    [['--domain', 'mobiliza.example.org', '--proxy', 'apache', '--dry-run']],
    [['--domain', 'mobiliza.example.org', '--proxy', 'nginx', '--dry-run']],
    [['--domain']],
  ])('install.sh %j is refused with its usage', (args) => {
    const { status, stderr } = spawnSync(join(folder, 'install.sh'), args, { encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringMatching(/Uso: install\.sh|informe --email/)])
  })
})

describe('the systemd units', () => {
  const unit = file('mobiliza.service')
  const seconds = (pattern: RegExp) => Number(pattern.exec(unit)?.[1])

  test('wait for the site longer than its migrations may wait for a table', () => {
    expect(seconds(/ready\.mjs (\d+)/)).toBeGreaterThan(tableLockTimeoutMs / 1000)
    expect(seconds(/^TimeoutStartSec=(\d+)$/m)).toBeGreaterThan(seconds(/ready\.mjs (\d+)/))
  })

  test('have the same restrictions as the unit for several nodes', () => {
    const confinement = (text: string) =>
      /^StateDirectory=[\s\S]*(?=\n\[Install\])/m.exec(text)?.[0].replace(/^#.*$/gm, '')
    expect(confinement(unit)).toBe(confinement(deployed('systemd/mobiliza@.service')))
  })

  test('are accepted by systemd', ({ skip }) => {
    if (spawnSync('systemd-analyze', ['--version']).error) skip('systemd-analyze is not installed')
    const temporary = temporaryFolder()
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }))
    // The programs that the units start exist only on the server.
    for (const name of readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name)))
      writeFileSync(join(temporary, name), file(name).replaceAll(/=\/(opt|usr\/local)\/\S+/g, '=/bin/true'))
    const units = readdirSync(temporary).map((name) => join(temporary, name))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' })
    expect([status, stderr.split('\n').filter((line) => line.includes(temporary))]).toEqual([0, []])
  })
})

test('nginx accepts its configuration with the single node of this server', async ({ skip }) => {
  const nginx = findProgram('nginx') ?? skip('nginx is not installed')
  if (!findProgram('openssl')) skip('openssl is not installed')
  const temporary = temporaryFolder()
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }))
  await writeNginxConfig(temporary)
  writeFileSync(join(temporary, 'nodes.conf'), file('nodes.conf'))
  const args = ['-t', '-c', join(temporary, 'nginx.conf'), '-e', join(temporary, 'log/error.log')]
  const { status, stderr } = spawnSync(nginx, args, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')])
})

test('install.sh installs every file, and the guide names every command', () => {
  const [installer, command] = [file('install.sh'), file('mobiliza')]
  const unused = readdirSync(folder).filter(
    (name) => !['install.sh', 'README.md'].includes(name) && !installer.includes(`"$here/${name}"`),
  )
  expect(unused).toEqual([])
  const commands = [...command.matchAll(/^ {2}([a-z]+)\b.*$/gm)]
    .map(([, name]) => name)
    .filter((name) => new RegExp(`^ {2}${name} .{10}`, 'm').test(/TEXT'\n([\s\S]*?)TEXT/.exec(command)?.[1] ?? ''))
  expect(commands.length).toBeGreaterThanOrEqual(6)
  expect(commands.filter((name) => !guide.includes(`mobiliza ${name}`))).toEqual([])
})

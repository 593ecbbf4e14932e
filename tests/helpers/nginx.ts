// Runs a real nginx with the configuration of deploy/, unprivileged, in a temporary folder, in front of nodes of the
// test.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { deployed } from '#tests/helpers/deployed.ts'
import { freePort, listens, unprivileged, unprivilegedFolder } from '#tests/helpers/postgres.ts'

export interface Nginx {
  /** Plain HTTP, for a balancer that has terminated TLS. */
  url: string
  tlsUrl: string
  redirectUrl: string
  /** Its TLS certificate. */
  certificate: string
  /** Lines of the access log, once nginx has written them. */
  accessLog(): string[]
  /** Stops gracefully, so that everything is logged. */
  stop(): Promise<void>
}

/** Runs until the test ends. */
export async function startNginx(nodes: number[]): Promise<Nginx> {
  const { remove, ...nginx } = await launchNginx(nodes)
  onTestFinished(async () => {
    await nginx.stop()
    remove()
  })
  return nginx
}

/**
 * Writes the configuration of deploy/ and a certificate into a folder, with ports and paths that need no privileges.
 */
export async function writeNginxConfig(folder: string): Promise<Record<'plain' | 'tls' | 'redirect', number>> {
  const [plain, tls, redirect] = [await freePort(), await freePort(), await freePort()]
  for (const name of ['log', 'cache', 'tls']) mkdirSync(join(folder, name))
  makeCertificate(join(folder, 'tls'))
  // The default paths for temporary files are not writable for the unprivileged user.
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'scgi', 'uwsgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const configuration = deployed('nginx/nginx.conf', {
    '/etc/nginx/': `${folder}/`,
    '/var/log/nginx/': `${folder}/log/`,
    '/var/lib/nginx/': `${folder}/cache/`,
    '/run/nginx.pid': `${folder}/nginx.pid`,
    'http {': `http { ${temporaryPaths.join(' ')}`,
    // Not every machine that runs tests has IPv6.
    'listen [::]:80;': '',
    'listen [::]:443 ssl http2;': '',
    'listen 127.0.0.1:8080': `listen 127.0.0.1:${plain}`,
    'listen 443': `listen 127.0.0.1:${tls}`,
    'listen 80': `listen 127.0.0.1:${redirect}`,
  })
  writeFileSync(join(folder, 'nginx.conf'), configuration)
  return { plain, tls, redirect }
}

async function launchNginx(nodes: number[]): Promise<Nginx & { remove(): void }> {
  const user = unprivileged()
  const folder = unprivilegedFolder('mobiliza-nginx-')
  const { plain, tls, redirect } = await writeNginxConfig(folder)
  const [node = ''] = deployed('nginx/nodes.conf').match(/server .*;/) ?? []
  writeFileSync(
    join(folder, 'nodes.conf'),
    nodes.map((port) => node.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`)).join('\n'),
  )
  if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  const debianPath = '/usr/sbin/nginx'
  const args = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'log/error.log')]
  const nginx = spawn(existsSync(debianPath) ? debianPath : 'nginx', [...args, '-g', 'daemon off;'], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  nginx.stderr.on('data', (chunk) => {
    output += chunk
  })
  const ended = new Promise<void>((resolve) => nginx.once('exit', () => resolve()))
  while (!(await listens(plain))) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}\n${output}`)
    await delay(20)
  }
  return {
    url: `http://127.0.0.1:${plain}`,
    tlsUrl: `https://127.0.0.1:${tls}`,
    redirectUrl: `http://127.0.0.1:${redirect}`,
    certificate: readFileSync(join(folder, 'tls/fullchain.pem'), 'utf8'),
    accessLog: () => readFileSync(join(folder, 'log/access.log'), 'utf8').split('\n').filter(Boolean),
    async stop() {
      nginx.kill('SIGQUIT')
      await ended
    },
    remove() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function makeCertificate(folder: string): void {
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const name = ['-subj', '/CN=mobiliza.example.org', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...kind, ...name, ...files], { stdio: 'pipe' })
}

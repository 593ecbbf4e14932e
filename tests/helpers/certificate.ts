import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A self-signed certificate for the IP addresses. */
export function makeCertificate(addresses: string[]): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'mobiliza-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = addresses.map((address) => `IP:${address}`).join(',')
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const options = [...kind, '-subj', '/CN=mail.example.org', '-addext', `subjectAltName=${names}`]
  execFileSync('openssl', ['req', ...options, '-keyout', key, '-out', cert], { stdio: 'pipe' })
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  return made
}

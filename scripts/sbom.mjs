// npm run sbom [file]: writes what `npm ci --omit=dev` may install, on any system, as CycloneDX JSON.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { prepareBeside } from './prepare.mjs'
import { endWith, root } from './run.mjs'

const file = resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? 'sbom.cdx.json')
const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'))

/**
 * `npm sbom --omit=dev` also omits packages of the server that a development package needs too, such as pg. So npm reads
 * a copy of the lock file that does not have the packages for development.
 */
function readBom() {
  const { devDependencies: _packages, ...project } = readJson('package.json')
  const { packages, ...lock } = readJson('package-lock.json')
  const { '': ours, ...others } = packages
  const { devDependencies: _locked, ...self } = ours
  const running = Object.entries(others).filter(([, { dev }]) => !dev)
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'))
  try {
    const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content))
    write('package.json', project)
    write('package-lock.json', { ...lock, packages: { '': self, ...Object.fromEntries(running) } })
    const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
    const output = execFileSync('npm', args, { cwd: folder, maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] })
    const bom = JSON.parse(output)
    // npm names the project after its folder.
    bom.metadata.component.name = project.name
    return bom
  } finally {
    rmSync(folder, { recursive: true })
  }
}

try {
  await prepareBeside('en')
  const bom = readBom()
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
  process.stdout.write(`${bom.components.length} packages: ${file}\n`)
} catch (error) {
  endWith(error)
}

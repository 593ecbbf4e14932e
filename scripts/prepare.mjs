// Prepares a fresh clone: installs the locked packages and builds the pages. Skips steps that are up to date.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { endWith, root, run, StepFailed, step } from './run.mjs'

/** The Node of the project: an optional npm package for each system, of which npm links the installed one. */
export const node = join(root, 'node_modules/.bin/node')
export const bin = (name) => join(root, 'node_modules/.bin', name)

const texts = {
  pt: {
    install: 'Instalando dependências',
    installLibrary: 'Instalando a biblioteca libatomic',
    build: 'Montando as páginas',
    template: 'Preparando o modelo do banco embutido',
    old: 'É preciso Node 20.12 ou mais novo.',
    noNode: `O Node do projeto não foi instalado para este sistema (${process.platform} ${process.arch}). Ele existe para Linux e macOS, x64 e arm64. Se este é um deles, o pacote não pôde ser baixado ou não é o que package-lock.json espera: repita o comando.`,
    library:
      'Falta ao sistema a biblioteca libatomic, de que o Node do projeto precisa. Instale-a e repita o comando.\nDebian e Ubuntu: sudo apt-get install libatomic1\nFedora: sudo dnf install libatomic',
  },
  en: {
    install: 'Installing packages',
    installLibrary: 'Installing the library libatomic',
    build: 'Building pages',
    template: 'Creating the template of the embedded database',
    old: 'Node 20.12 or newer is needed.',
    noNode: `The project's Node was not installed for this system (${process.platform} ${process.arch}). It exists for Linux and macOS, x64 and arm64. If this is one of them, the package could not be downloaded or is not the one that package-lock.json expects: try again.`,
    library:
      "The system lacks the library libatomic, which the project's Node needs. Install it and try again.\nDebian and Ubuntu: sudo apt-get install libatomic1\nFedora: sudo dnf install libatomic",
  },
}

/** `what` is 'running' for the needs of the server, 'everything' to include tests and development. */
export async function prepare(language, what) {
  await install(language, what)
  const sources = [
    'package-lock.json',
    'vite.config.ts',
    'scripts/build.ts',
    'scripts/former-assets.ts',
    'src/web',
    'src/contract',
  ]
  await runUnlessUnchanged(join(root, 'dist/.montado'), sources, () =>
    step(texts[language].build, () => run(node, ['scripts/build.ts'], { env: { NODE_ENV: 'production' } })),
  )
  if (what === 'running' && !createsDatabase()) return
  const template = 'scripts/embedded-template.ts'
  await runUnlessUnchanged(
    join(root, 'dist/embedded-template/.stamp'),
    ['package-lock.json', template, 'src/server/db/migrations'],
    () => step(texts[language].template, () => run(node, ['--disable-warning=ExperimentalWarning', template])),
  )
}

const createsDatabase = () =>
  !process.env.DATABASE_URL?.trim() && !existsSync(resolve(root, process.env.DATA_DIR?.trim() || 'data', 'banco'))

/** For tools that run beside a site. The site may use the packages and pages of this folder, so they stay unchanged. */
export async function prepareBeside(language) {
  if (!existsSync(node)) await install(language, 'running')
}

/** Prepares everything, then runs a program of the project with the arguments of this process and its exit code. */
export async function prepareAndRun(file) {
  try {
    await prepare('en', 'everything')
  } catch (error) {
    endWith(error)
  }
  const program = spawn(node, ['--disable-warning=ExperimentalWarning', file, ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` },
    stdio: 'inherit',
  })
  program.on('exit', (code) => process.exit(code ?? 1))
}

/** Call it after `prepare`. Fails with a message if a program is missing that is not an npm package. */
export const requireTools = () => run(node, ['--disable-warning=ExperimentalWarning', 'tests/require-tools.ts'])

/** Checks the Node that runs the scripts, not the Node of the project. */
export function requireNode(language) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 12)) throw new StepFailed(texts[language].old)
}

async function install(language, what) {
  requireNode(language)
  const labels = texts[language]
  try {
    if (!isInstalled(what)) {
      const omit = what === 'running' && !hasDevelopmentPackages() ? ['--omit=dev'] : ['--include=dev']
      // Unlike `npm ci`, this adds missing packages and keeps the others, also under a running site.
      const npm = async (...more) => {
        await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...omit, ...more])
        // npm reports no failure of an optional package, not even a wrong hash.
        if (!hasLockedNode()) throw new StepFailed(labels.noNode)
      }
      // The cached metadata of npm may lack a version that is new in the lock file.
      await step(labels.install, () => npm('--prefer-offline').catch(() => npm()))
    }
    await run(node, ['--version'])
  } catch (error) {
    // Minimal systems lack the library, and the message of the loader does not help.
    if (!/libatomic/.test(error.message)) throw error
    await installLibrary(labels)
  }
}

/** Installs the library for root on Debian or Ubuntu. Otherwise the error names the package to install. */
async function installLibrary(labels) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => run('apt-get', ['-qq', ...args], { env })
  try {
    if (process.getuid() !== 0) throw new StepFailed('not root')
    await step(labels.installLibrary, async () => {
      await apt('update')
      await apt('install', '-y', '--no-install-recommends', 'libatomic1')
      await run(node, ['--version'])
    })
  } catch {
    throw new StepFailed(labels.library)
  }
}

/** Compares the lock file with the record of installed packages that npm writes. */
function isInstalled(what) {
  if (!hasLockedNode()) return false
  const installed = installedPackages()
  const locked = Object.entries(readPackages('package-lock.json')).filter(([path]) => path !== '')
  return locked.every(([path, { version, dev, optional, devOptional }]) => {
    const found = installed[path]?.version
    // Optional packages may be for another system.
    const mayBeMissing = optional || (what === 'running' && (dev || devOptional))
    return found === version || (mayBeMissing && found === undefined)
  })
}

/** Whether the linked Node has the version of the lock file. */
function hasLockedNode() {
  const file = existsSync(node) && join(dirname(realpathSync(node)), '../package.json')
  if (!file || !existsSync(file)) return false
  const { version } = JSON.parse(readFileSync(file, 'utf8'))
  const packages = readPackages('package-lock.json')
  const [name] = Object.keys(packages[''].optionalDependencies).filter((name) => name.startsWith('node-'))
  return packages[`node_modules/${name}`].version === version
}

const hasDevelopmentPackages = () => Object.values(installedPackages()).some(({ dev }) => dev)
const installedPackages = () => readPackages('node_modules/.package-lock.json')

function readPackages(file) {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

/** Runs the work unless it was already done for the same content of the files. */
async function runUnlessUnchanged(stamp, sources, work) {
  const digest = createHash('sha256')
  for (const source of sources)
    for (const file of filesOf(source)) digest.update(file).update(readFileSync(join(root, file)))
  const expected = digest.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expected) return
  await work()
  writeFileSync(stamp, expected)
}

function filesOf(path) {
  const folder = join(root, path)
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
      .sort()
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    throw error
  }
}

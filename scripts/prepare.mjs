// From a fresh clone to something that runs: packages as locked, pages built from the sources as they are. Nothing is done twice.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { endWith, root, run, StepFailed, step } from './run.mjs'

/** The project's own Node, which the packages bring. */
export const node = join(root, 'node_modules/node/bin/node')
export const bin = (name) => join(root, 'node_modules/.bin', name)

const texts = {
  pt: {
    install: 'Instalando dependências',
    installLibrary: 'Instalando a biblioteca libatomic',
    build: 'Montando as páginas',
    old: 'É preciso Node 20.12 ou mais novo.',
    library:
      'Falta ao sistema a biblioteca libatomic, de que o Node do projeto precisa. Instale-a e repita o comando.\nDebian e Ubuntu: sudo apt-get install libatomic1\nFedora: sudo dnf install libatomic',
  },
  en: {
    install: 'Installing packages',
    installLibrary: 'Installing the library libatomic',
    build: 'Building pages',
    old: 'Node 20.12 or newer is needed.',
    library:
      "The system lacks the library libatomic, which the project's Node needs. Install it and try again.\nDebian and Ubuntu: sudo apt-get install libatomic1\nFedora: sudo dnf install libatomic",
  },
}

/** `what` is 'running' for what the server needs, 'everything' for tests and development too. */
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
  await once(join(root, 'dist/.montado'), sources, () =>
    step(texts[language].build, () => run(node, ['scripts/build.ts'], { env: { NODE_ENV: 'production' } })),
  )
}

/** For what is done beside a site, which may be running on the packages and pages of this folder: nothing is changed under it. */
export async function prepareBeside(language) {
  if (!existsSync(node)) await install(language, 'running')
}

/** Prepares everything, then runs a program of the project with the arguments of this one, and ends as it ends. */
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

/** After `prepare`: ends with a sentence if a program is missing that is no npm package. */
export const requireTools = () => run(node, ['--disable-warning=ExperimentalWarning', 'tests/require-tools.ts'])

/** Of the Node that runs the scripts, not of the project's own. */
export function requireNode(language) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 12)) throw new StepFailed(texts[language].old)
}

async function install(language, what) {
  requireNode(language)
  const say = texts[language]
  try {
    if (!isInstalled(what)) {
      const omit = what === 'running' && !hasDevelopmentPackages() ? ['--omit=dev'] : ['--include=dev']
      // Unlike `npm ci` it adds what is missing and leaves the rest in place, also under a running site.
      const npm = (...more) => run('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...omit, ...more])
      // What npm has cached may not know a version that is new in the lock.
      await step(say.install, () => npm('--prefer-offline').catch(() => npm()))
    }
    await run(node, ['--version'])
  } catch (error) {
    // Small systems come without it, and what the loader says helps nobody.
    if (!/libatomic/.test(error.message)) throw error
    await installLibrary(say)
  }
}

/** Root on Debian or Ubuntu gets it installed; anybody else is told what to install. */
async function installLibrary(say) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => run('apt-get', ['-qq', ...args], { env })
  try {
    if (process.getuid() !== 0) throw new StepFailed('not root')
    await step(say.installLibrary, async () => {
      await apt('update')
      await apt('install', '-y', '--no-install-recommends', 'libatomic1')
      await run(node, ['--version'])
    })
  } catch {
    throw new StepFailed(say.library)
  }
}

/** Compares the lock with npm's own record of what it installed, whichever command installed it. */
function isInstalled(what) {
  const installed = installedPackages()
  const locked = Object.entries(readPackages('package-lock.json')).filter(([path]) => path !== '')
  return locked.every(([path, { version, dev, optional, devOptional }]) => {
    const found = installed[path]?.version
    // Optional packages may be those of another system.
    const mayBeMissing = optional || (what === 'running' && (dev || devOptional))
    return found === version || (mayBeMissing && found === undefined)
  })
}

const hasDevelopmentPackages = () => Object.values(installedPackages()).some(({ dev }) => dev)
const installedPackages = () => readPackages('node_modules/.package-lock.json')

function readPackages(file) {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

/** Does the work unless it was already done for the same content of the same files. */
async function once(stamp, sources, work) {
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

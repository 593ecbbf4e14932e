// From a fresh clone to something that runs: packages as locked, pages built from the sources as they are. Nothing is done twice.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, StepFailed, step } from './run.mjs'

/** The project's own Node, which the packages bring. */
export const node = join(root, 'node_modules/node/bin/node')
export const bin = (name) => join(root, 'node_modules/.bin', name)

const texts = {
  pt: {
    install: 'Instalando dependências',
    build: 'Montando as páginas',
    old: 'É preciso Node 20 ou mais novo.',
    library:
      'Falta ao sistema a biblioteca libatomic, de que o Node do projeto precisa. Instale-a e repita o comando.\nDebian e Ubuntu: sudo apt-get install libatomic1\nFedora: sudo dnf install libatomic',
  },
  en: {
    install: 'Installing packages',
    build: 'Building pages',
    old: 'Node 20 or newer is needed.',
    library:
      "The system lacks the library libatomic, which the project's Node needs. Install it and try again.\nDebian and Ubuntu: sudo apt-get install libatomic1\nFedora: sudo dnf install libatomic",
  },
}

/** `what` is 'running' for what the server needs, 'everything' for tests and development too. */
export async function prepare(language, what) {
  await install(language, what)
  const sources = ['package-lock.json', 'vite.config.ts', 'scripts/build.ts', 'src/web', 'src/contract']
  await once(join(root, 'dist/.montado'), sources, 'everything', () =>
    step(texts[language].build, () => run(node, ['scripts/build.ts'], { env: { NODE_ENV: 'production' } })),
  )
}

/** For what is done beside a site, which may be running on the packages and pages of this folder: nothing is changed under it. */
export async function prepareBeside(language) {
  if (!existsSync(node)) await install(language, 'running')
}

async function install(language, what) {
  const say = texts[language]
  if (Number(process.versions.node.split('.')[0]) < 20) throw new StepFailed(say.old)
  try {
    await once(join(root, 'node_modules/.instalado'), ['package-lock.json', '.npmrc'], what, () =>
      step(say.install, () =>
        run('npm', ['ci', '--no-audit', '--no-fund', ...(what === 'running' ? ['--omit=dev'] : [])]),
      ),
    )
    await run(node, ['--version'])
  } catch (error) {
    // Small systems come without it, and what the loader says helps nobody.
    throw /libatomic/.test(error.message) ? new StepFailed(say.library) : error
  }
}

/** Does the work unless it, or more, was already done for the same content of the same files. */
async function once(stamp, sources, what, work) {
  const digest = createHash('sha256')
  for (const source of sources)
    for (const file of filesOf(source)) digest.update(file).update(readFileSync(join(root, file)))
  const expected = digest.digest('hex')
  const [content, done] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : []
  if (content === expected && (done === what || done === 'everything')) return
  await work()
  writeFileSync(stamp, `${expected} ${what}`)
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

// Reads the project's .env into the environment. Variables that are already set win. Tests never call this.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import util from 'node:util'
import { requireNode } from './prepare.mjs'
import { root, StepFailed } from './run.mjs'

export function loadEnvFile(file = join(root, '.env')) {
  requireNode('pt')
  const text = readText(file)
  if (text === undefined) return
  const problem = findProblem(text)
  // The message does not quote the line: it may contain a password.
  if (problem) throw new StepFailed(`${file}: ${problem}`)
  for (const [name, value] of Object.entries(util.parseEnv(text))) process.env[name] ??= value
}

function readText(file) {
  let bytes
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    const reason = error.code === 'EISDIR' ? 'é uma pasta' : error.code
    throw new StepFailed(`${file}: não foi possível ler este arquivo (${reason}). Corrija a permissão ou apague-o.`)
  }
  try {
    // The decoder also drops the byte order mark that Windows editors write.
    return new util.TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new StepFailed(`${file}: o arquivo não está em UTF-8. Salve-o de novo com essa codificação.`)
  }
}

/** Node ignores invalid lines silently. The operator would search for the cause elsewhere. */
function findProblem(text) {
  const lines = text.split(/\r?\n/)
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index].trim()
    if (line === '' || line.startsWith('#')) continue
    const [, value] = /^(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=\s*(.*)$/.exec(line) ?? []
    if (value === undefined)
      return `a linha ${index + 1} não foi entendida. Cada linha é NOME=valor. Exemplo: PORT=3000`
    const [quote] = /^["'`]/.exec(value) ?? []
    if (!quote && /\S#/.test(value))
      return `na linha ${index + 1}, o que vem depois de # seria ignorado. Ponha o valor entre aspas simples.`
    if (!quote || value.indexOf(quote, 1) > 0) continue
    const end = lines.findIndex((other, at) => at > index && other.includes(quote))
    if (end < 0) return `as aspas abertas na linha ${index + 1} não foram fechadas.`
    index = end
  }
  return undefined
}

// Runs commands and shows one line per step. The output of a command is shown only if it fails.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export class StepFailed extends Error {}

/** Resolves when the command ends with 0; otherwise rejects with its output. */
export function run(command, args, { env = {}, live = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      ...options,
    })
    let output = ''
    const collect = (chunk) => {
      output += chunk
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('error', (error) => reject(new StepFailed(`${command}: ${error.message}`)))
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new StepFailed(output || `${command}: ${code}`)),
    )
  })
}

/** Prints one line per step: title, duration and result. */
export async function step(title, work) {
  const startedAt = Date.now()
  const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(0)} s`
  const redraw = process.stdout.isTTY
  if (!redraw) process.stdout.write(`… ${title}\n`)
  const timer = redraw && setInterval(() => process.stdout.write(`\r… ${title} ${seconds()} `), 200)
  try {
    const result = await work()
    process.stdout.write(`${redraw ? '\r' : ''}✓ ${title} ${seconds()} \n`)
    return result
  } catch (error) {
    process.stdout.write(`${redraw ? '\r' : ''}✗ ${title} ${seconds()} \n`)
    throw error
  } finally {
    clearInterval(timer)
  }
}

/** Prints the error and exits with 1. For a failed step it leaves out the stack of this script. */
export function endWith(error) {
  process.stderr.write(`\n${error instanceof StepFailed ? error.message : (error.stack ?? error)}\n`)
  process.exit(1)
}

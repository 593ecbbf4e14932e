// Running a command while the terminal shows one line about it; what the command says is shown only if it fails.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export class StepFailed extends Error {}

/** Runs to the end; rejects with everything that was printed. */
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

/** One line per step: what is being done, for how long, and how it ended. */
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

/** Prints what failed, without the noise of this script's own stack. */
export function endWith(error) {
  process.stderr.write(`\n${error instanceof StepFailed ? error.message : (error.stack ?? error)}\n`)
  process.exit(1)
}

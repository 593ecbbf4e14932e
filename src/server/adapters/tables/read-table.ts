// Reads an uploaded CSV or XLSX file in a process of its own, with limited memory. A thread is not enough: memory that
// runs out in native code, for example in a long string, ends the process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { adminMessages } from '#contract/admin/messages.ts'
import type { StagedTable } from '#server/adapters/tables/staged-table.ts'
import { createConcurrencyLimit } from '#server/core/concurrency-limit.ts'
import { AppError } from '#server/core/errors.ts'

const { imports: texts } = adminMessages

/** Why a file is refused; the process cannot throw errors of the domain. */
export type TableProblem = 'format' | 'broken' | 'tooManyRows' | 'tooManyColumns' | 'tooMuchText' | 'empty'
export type TableResult = { problem: TableProblem } | { table: StagedTable }

const program = fileURLToPath(new URL('./table-reader.ts', import.meta.url))
const heapMegabytes = 640
const timeoutMs = 60_000

/** One file at a time: reading a large one takes much memory. */
const limit = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 3 })

export function readTable(file: Buffer): Promise<StagedTable> {
  return limit(async () => {
    const result = await readInProcess(file)
    if ('problem' in result) throw new AppError('invalid', texts[result.problem])
    return { ...result.table, file: Buffer.from(result.table.file) }
  })
}

async function readInProcess(file: Buffer): Promise<TableResult> {
  const reader = fork(program, {
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const finished = new AbortController()
  const signal = AbortSignal.any([finished.signal, AbortSignal.timeout(timeoutMs)])
  try {
    // The process may end while the file is sent: the exit is the answer.
    reader.send(file, () => {})
    const [result] = await Promise.race([once(reader, 'message', { signal }), once(reader, 'exit', { signal })])
    // An exit has a code or a signal.
    return typeof result === 'object' && result !== null ? result : { problem: 'tooMuchText' }
  } catch {
    // Out of memory or time: the file is small when compressed and huge when not.
    return { problem: 'tooMuchText' }
  } finally {
    finished.abort()
    reader.kill('SIGKILL')
  }
}

// Reads an uploaded CSV or XLSX file in a separate thread with limited memory.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { adminMessages } from '#contract/admin/messages.ts'
import type { StagedTable } from '#server/adapters/tables/staged-table.ts'
import { createConcurrencyLimit } from '#server/core/concurrency-limit.ts'
import { AppError } from '#server/core/errors.ts'

const { imports: texts } = adminMessages

/** Why a file is refused; the worker cannot throw errors of the domain. */
export type TableProblem = 'format' | 'broken' | 'tooManyRows' | 'tooManyColumns' | 'empty'
export type TableResult = { problem: TableProblem } | { table: StagedTable }

const worker = new URL('./table-worker.ts', import.meta.url)
const heapMegabytes = 768
const timeoutMs = 60_000

/** One file at a time: reading a large one takes much memory. */
const limit = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 3 })

export function readTable(file: Buffer): Promise<StagedTable> {
  return limit(async () => {
    const result = await readInWorker(file)
    if ('problem' in result) throw new AppError('invalid', texts[result.problem])
    return { ...result.table, file: Buffer.from(result.table.file) }
  })
}

async function readInWorker(file: Buffer): Promise<TableResult> {
  const thread = new Worker(worker, {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  try {
    const [result] = (await once(thread, 'message', { signal: AbortSignal.timeout(timeoutMs) })) as [TableResult]
    return result
  } catch {
    // Out of memory or time: the file is small when compressed and huge when not.
    return { problem: 'broken' }
  } finally {
    await thread.terminate()
  }
}

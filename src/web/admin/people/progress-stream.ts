// Reads streams with progress: exports, whose file is returned only if it is complete, and edits of many records.
import { createPartReader } from '#contract/admin/export-stream.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { type Endpoint, fillPath, type PathParams } from '#contract/endpoint.ts'
import { authorization, handleAuthError } from '#web/admin/api/client.ts'
import { withRecentLogin } from '#web/admin/api/recent-login.ts'
import { readToken } from '#web/admin/session/session.ts'
import { ApiFailure } from '#web/api/client.ts'

export interface Progress {
  lines: number
  total: number
  exact: boolean
}

interface DownloadedFile {
  name: string
  blob: Blob
  lines: number
}

interface FileCall {
  path: string
  signal: AbortSignal
  onProgress(progress: Progress): void
}

/** From this size parts are moved into a Blob: browsers keep large Blobs outside the memory of the page. */
const blobThresholdBytes = 4 * 2 ** 20

/** `path` includes the query. */
export async function downloadStream({ path, signal, onProgress }: FileCall): Promise<DownloadedFile> {
  const replyBody = await openStream(path, { signal })
  const read = createPartReader()
  let progress: Progress = { lines: 0, total: 0, exact: false }
  let name = ''
  let blob = new Blob()
  let pendingParts: Uint8Array<ArrayBuffer>[] = []
  let pendingBytes = 0
  const reader = replyBody.getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    for (const part of read(chunk.value)) {
      if ('bytes' in part) {
        pendingParts.push(part.bytes)
        pendingBytes += part.bytes.length
        if (pendingBytes < blobThresholdBytes) continue
        blob = new Blob([blob, ...pendingParts])
        pendingParts = []
        pendingBytes = 0
        continue
      }
      const { note } = part
      if ('erro' in note) throw new ApiFailure(500, { message: note.erro })
      if ('fim' in note) {
        const whole = new Blob([blob, ...pendingParts])
        if (whole.size !== note.fim.bytes) break
        return { name, blob: whole, lines: note.fim.linhas }
      }
      if ('nome' in note) name = note.nome
      progress =
        'nome' in note ? { lines: 0, total: note.total, exact: note.exato } : { ...progress, lines: note.linhas }
      onProgress(progress)
    }
  }
  // The connection ended, or data is missing: an incomplete list that looks complete would be worse than none.
  throw new ApiFailure(500, { message: adminMessages.people.exportFailed })
}

interface StreamedEdit<E extends Endpoint> {
  endpoint: E
  params: PathParams
  body: unknown
  signal: AbortSignal
  onLines(lines: number): void
}

/** Calls an endpoint whose reply is a stream of progress, and returns the final numbers. */
export async function readProgress<E extends Endpoint>(call: StreamedEdit<E>) {
  const { endpoint, params, body, signal, onLines } = call
  const replyBody = await openStream(fillPath(endpoint.path, params), {
    method: endpoint.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  const read = createPartReader()
  const reader = replyBody.getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    for (const part of read(chunk.value)) {
      if (!('note' in part)) continue
      const { note } = part
      if ('erro' in note) throw new ApiFailure(500, { message: note.erro })
      if ('fim' in note) return note.fim
      if ('linhas' in note) onLines(note.linhas)
    }
  }
  throw new TypeError('the stream is incomplete')
}

/** The body of a reply that is a success. */
function openStream(path: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> }) {
  return withRecentLogin(async () => {
    const token = readToken()
    const response = await fetch(path, { ...init, headers: { ...authorization(token), ...headers } })
    if (response.ok && response.body) return response.body
    throw handleAuthError(new ApiFailure(response.status, await bodyOf(response)), token)
  })
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

export function saveFile({ name, blob }: DownloadedFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

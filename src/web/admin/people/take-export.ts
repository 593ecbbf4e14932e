// Takes an export as it arrives: tells how far it is, and gives the file only when it is whole.
import { createPartReader } from '#contract/admin/export-stream.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { exportPeople, type PeopleKind } from '#contract/admin/people.ts'
import { fillPath } from '#contract/endpoint.ts'
import { authorization, noticed, type Query, searchOf } from '#web/admin/api.ts'
import { readToken } from '#web/admin/session/session.ts'
import { ApiFailure } from '#web/api/client.ts'

export interface Progress {
  lines: number
  total: number
  exact: boolean
}

export interface TakenFile {
  name: string
  blob: Blob
  lines: number
}

export interface ExportCall {
  tipo: PeopleKind
  query: Query
  signal: AbortSignal
  onProgress(progress: Progress): void
}

/** Pieces are handed over to the browser, which keeps what is large outside of the page's memory. */
const handOverBytes = 4 * 2 ** 20

export async function takeExport({ tipo, query, signal, onProgress }: ExportCall): Promise<TakenFile> {
  const token = readToken()
  const response = await fetch(fillPath(exportPeople.path, { tipo }) + searchOf(query), {
    headers: authorization(token),
    signal,
  })
  if (!response.ok || !response.body) throw noticed(new ApiFailure(response.status, await bodyOf(response)), token)

  const read = createPartReader()
  let progress: Progress = { lines: 0, total: 0, exact: false }
  let name = ''
  let blob = new Blob()
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let waiting = 0
  const reader = response.body.getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    for (const part of read(chunk.value)) {
      if ('bytes' in part) {
        pieces.push(part.bytes)
        waiting += part.bytes.length
        if (waiting < handOverBytes) continue
        blob = new Blob([blob, ...pieces])
        pieces = []
        waiting = 0
        continue
      }
      const { note } = part
      if ('erro' in note) throw new ApiFailure(500, { message: note.erro })
      if ('fim' in note) {
        const whole = new Blob([blob, ...pieces])
        if (whole.size !== note.fim.bytes) break
        return { name, blob: whole, lines: note.fim.linhas }
      }
      if ('nome' in note) name = note.nome
      progress =
        'nome' in note ? { lines: 0, total: note.total, exact: note.exato } : { ...progress, lines: note.linhas }
      onProgress(progress)
    }
  }
  // The connection ended, or a piece is missing: half a list that looks like a list would be worse than none.
  throw new ApiFailure(500, { message: adminMessages.people.exportFailed })
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

export function saveFile({ name, blob }: TakenFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

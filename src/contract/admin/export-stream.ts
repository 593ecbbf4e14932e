// How an export travels: pieces of the file between notes of how far it is. Only a stream that ends with the note `fim` is a whole
// file, whatever happened to the connection on the way.
import * as z from 'zod/mini'

const note = z.union([
  z.object({ nome: z.string(), total: z.number(), exato: z.boolean() }),
  z.object({ linhas: z.number() }),
  z.object({ fim: z.object({ linhas: z.number(), bytes: z.number() }) }),
  z.object({ erro: z.string() }),
])
export type ExportNote = z.output<typeof note>
export type ExportPart = { bytes: Uint8Array<ArrayBuffer> } | { note: ExportNote }

export const exportContentType = 'application/vnd.mobiliza.exportacao'

const headBytes = 5
const isPiece = 0
const isNote = 1

/** A byte that tells pieces from notes and four with the length stand before each. */
function headOf(kind: number, length: number): Uint8Array {
  const head = new Uint8Array(headBytes)
  const view = new DataView(head.buffer)
  view.setUint8(0, kind)
  view.setUint32(1, length)
  return head
}

export function pieceHead(length: number): Uint8Array {
  return headOf(isPiece, length)
}

export function writeNote(value: ExportNote): Uint8Array[] {
  const text = new TextEncoder().encode(JSON.stringify(value))
  return [headOf(isNote, text.length), text]
}

/** Takes what arrives as it arrives; gives the parts that are complete. */
export function createPartReader(): (chunk: Uint8Array) => ExportPart[] {
  let unread = new Uint8Array(0)
  return (chunk) => {
    const all = new Uint8Array(unread.length + chunk.length)
    all.set(unread)
    all.set(chunk, unread.length)
    const view = new DataView(all.buffer)
    const parts: ExportPart[] = []
    let at = 0
    while (all.length - at >= headBytes) {
      const end = at + headBytes + view.getUint32(at + 1)
      if (end > all.length) break
      const bytes = all.slice(at + headBytes, end)
      parts.push(
        view.getUint8(at) === isNote ? { note: z.parse(note, JSON.parse(new TextDecoder().decode(bytes))) } : { bytes },
      )
      at = end
    }
    unread = all.slice(at)
    return parts
  }
}

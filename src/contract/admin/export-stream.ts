// Stream format of an export: file chunks and progress notes. Only a stream that ends with the note `fim` is a complete
// file; the connection may break at any time.
import * as z from 'zod/mini'

const note = z.union([
  z.object({ nome: z.string(), total: z.number(), exato: z.boolean() }),
  z.object({ linhas: z.number() }),
  /** `semEtiquetas`: edited records whose tags stayed, because they would have too many. */
  z.object({ fim: z.object({ linhas: z.number(), bytes: z.number(), semEtiquetas: z.optional(z.number()) }) }),
  z.object({ erro: z.string() }),
])
export type ExportNote = z.output<typeof note>
type ExportPart = { bytes: Uint8Array<ArrayBuffer> } | { note: ExportNote }

export const exportContentType = 'application/vnd.mobiliza.exportacao'

const headBytes = 5
const pieceType = 0
const noteType = 1

/** Each part begins with one byte for its type and four for its length. */
function headOf(type: number, length: number): Uint8Array {
  const head = new Uint8Array(headBytes)
  const view = new DataView(head.buffer)
  view.setUint8(0, type)
  view.setUint32(1, length)
  return head
}

export function pieceHead(length: number): Uint8Array {
  return headOf(pieceType, length)
}

export function writeNote(value: ExportNote): Uint8Array[] {
  const text = new TextEncoder().encode(JSON.stringify(value))
  return [headOf(noteType, text.length), text]
}

/** Takes network chunks and returns the parts that are complete. */
export function createPartReader(): (chunk: Uint8Array) => ExportPart[] {
  let unread = new Uint8Array(0)
  return (chunk) => {
    const all = new Uint8Array(unread.length + chunk.length)
    all.set(unread)
    all.set(chunk, unread.length)
    const view = new DataView(all.buffer)
    const parts: ExportPart[] = []
    let offset = 0
    while (all.length - offset >= headBytes) {
      const end = offset + headBytes + view.getUint32(offset + 1)
      if (end > all.length) break
      const bytes = all.slice(offset + headBytes, end)
      parts.push(
        view.getUint8(offset) === noteType
          ? { note: z.parse(note, JSON.parse(new TextDecoder().decode(bytes))) }
          : { bytes },
      )
      offset = end
    }
    unread = all.slice(offset)
    return parts
  }
}

// Reads an export as the browser does: the bytes of the file and the notes between them.
import { createPartReader, type ExportNote } from '#contract/admin/export-stream.ts'

export interface Exported {
  file: Buffer
  notes: ExportNote[]
}

export async function downloadExport(answer: Response): Promise<Exported> {
  const read = createPartReader()
  const pieces: Uint8Array[] = []
  const notes: ExportNote[] = []
  for await (const chunk of answer.body ?? []) {
    for (const part of read(chunk)) {
      if ('note' in part) notes.push(part.note)
      else pieces.push(part.bytes)
    }
  }
  return { file: Buffer.concat(pieces), notes }
}

// Imports of people: staging of the file, preview, start, cancellation and rejected lines.
import { sql } from 'drizzle-orm'
import { pieceHead, writeNote } from '#contract/admin/export-stream.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { PeopleKind } from '#contract/admin/people.ts'
import { type ImportMapping, type ImportSummary, importFields, type PreviewRow } from '#contract/admin/people-import.ts'
import { byteOrderMark, cellOf, csvRecord } from '#contract/csv.ts'
import { normalizeOrigin } from '#contract/origin.ts'
import { readTable } from '#server/adapters/tables/read-table.ts'
import { readStagedRows } from '#server/adapters/tables/staged-table.ts'
import { type EncryptionKeys, encryptionOf } from '#server/core/encryption.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database } from '#server/db/database.ts'
import { hasErasedSignatures } from '#server/db/erased-signatures.ts'
import { type ImportSettings, readImportedRow } from '#server/features/people/import-rows.ts'

const { imports: texts, people: peopleTexts } = adminMessages

const previewSize = 20
const shownRejections = 50
const rejectionStep = 1_000

/** Stored in the column `mapping`. */
interface StoredMapping {
  colunas: string[]
  campos?: ImportMapping
  declaraNovidades?: boolean
  /** See `acceptedByHour` in `db/signature-counts.ts`. */
  acceptedByHour?: Record<string, number>
}

interface ImportRow {
  id: string
  kind: PeopleKind
  status: ImportSummary['status']
  fileName: string
  author: string
  campanha: string | null
  origem: string | null
  legalBasis: string | null
  total: number
  processed: number
  accepted: number
  rejected: number
  reason: string | null
  createdAt: Date
  mapping: StoredMapping
}

const columns =
  'id, kind, status, "fileName", author, campanha, origem, "legalBasis", total, processed, accepted, rejected, reason, "createdAt", mapping'

const summaryOf = (row: ImportRow): ImportSummary => ({
  ...{ id: Number(row.id), tipo: row.kind, status: row.status, arquivo: row.fileName, autor: row.author },
  ...{ campanha: row.campanha, origem: row.origem, baseLegal: row.legalBasis, total: row.total },
  ...{ processadas: row.processed, aceitas: row.accepted, rejeitadas: row.rejected, motivo: row.reason },
  criadaEm: row.createdAt.toISOString(),
})

interface ImportStart {
  mapeamento: ImportMapping
  campanha?: string | undefined
  origem: string
  baseLegal: string
  declaraNovidades: boolean
}

interface ImportsDeps {
  database: Database
  config: EncryptionKeys
}

export type Imports = ReturnType<typeof createImports>

export function createImports({ database, config }: ImportsDeps) {
  const encryption = encryptionOf(config)

  async function find(id: string | number): Promise<ImportRow> {
    const [row] = await database.query<ImportRow & object>('', `select ${columns} from imports where id = $1`, [id])
    if (!row) throw new AppError('not-found', texts.notFound)
    return row
  }

  async function fileOf(id: string): Promise<Buffer | null> {
    const [row] = await database.query<{ file: Buffer | null }>('', 'select file from imports where id = $1', [id])
    return row?.file ?? null
  }

  /** Fields that the kind does not have, and columns that the file does not have, are refused. */
  function checkMapping({ kind, mapping }: ImportRow, chosen: ImportMapping): void {
    const isValid = Object.entries(chosen).every(
      ([name, { coluna }]) => Object.hasOwn(importFields[kind], name) && (coluna ?? 0) < mapping.colunas.length,
    )
    if (!isValid) throw new AppError('invalid', texts.mapping)
    // Consent of a whole list is declared, and the declaration is recorded.
    if (chosen.aceitaNovidades && chosen.aceitaNovidades.coluna === undefined)
      throw new AppError('invalid', texts.newsNotFixed)
  }

  const settingsFor = (row: ImportRow, mapping: ImportMapping): ImportSettings => ({
    ...{ tipo: row.kind, mapping, campanha: row.campanha, versaoManifesto: null, origem: row.origem },
    ...{ importId: Number(row.id), declaresNews: Boolean(row.mapping.declaraNovidades), encryption },
  })

  return {
    async stage(
      { tipo, nome, file, author }: { tipo: PeopleKind; nome: string; file: Buffer | null; author: string },
      audit: Audit,
    ): Promise<number> {
      if (!file) throw new AppError('invalid', texts.file, { errors: { arquivo: texts.file } })
      const table = await readTable(file)
      const mapping: StoredMapping = { colunas: table.columns }
      return database.transaction(async (tx) => {
        const { rows } = await tx.execute<{ id: string }>(sql`
          insert into imports (kind, "fileName", file, mapping, total, author)
          values (${tipo}, ${nome}, ${table.file}, ${JSON.stringify(mapping)}::jsonb, ${table.total}, ${author}) returning id`)
        const id = Number(rows[0]?.id)
        await audit(tx, `${tipo}, importação ${id}, ${table.total} linhas`)
        return id
      })
    },

    async list(): Promise<ImportSummary[]> {
      const rows = await database.query<ImportRow & object>(
        '',
        `select ${columns} from imports order by id desc limit 50`,
        [],
      )
      return rows.map(summaryOf)
    },

    async read(id: string) {
      const row = await find(id)
      const rejeitadas = await database.query<{ linha: number; motivo: string }>(
        '',
        `select line as linha, reason as motivo from import_rejections where "importId" = $1 order by line limit ${shownRejections}`,
        [id],
      )
      return { importacao: summaryOf(row), colunas: row.mapping.colunas, rejeitadas }
    },

    async preview(id: string, mapping: ImportMapping): Promise<{ linhas: PreviewRow[]; aceitas: number }> {
      const row = await find(id)
      checkMapping(row, mapping)
      const file = await fileOf(id)
      if (!file) throw new AppError('not-found', texts.originalGone)
      const linhas: PreviewRow[] = []
      for await (const { line, cells } of readStagedRows(file)) {
        const read = readImportedRow(settingsFor(row, mapping), cells)
        linhas.push({ linha: line, celulas: cells, motivo: 'problem' in read ? read.problem : null })
        if (linhas.length === previewSize) break
      }
      return { linhas, aceitas: linhas.filter(({ motivo }) => motivo === null).length }
    },

    async start(id: string, start: ImportStart, audit: Audit): Promise<void> {
      const row = await find(id)
      const { mapeamento, campanha, baseLegal, declaraNovidades } = start
      const origem = normalizeOrigin(start.origem)
      checkMapping(row, mapeamento)
      const missing = Object.entries(importFields[row.kind])
        .filter(([name, { required }]) => required && !mapeamento[name])
        .map(([, { label }]) => label)
      if (missing.length > 0) throw new AppError('invalid', texts.missing(missing))
      if (row.kind === 'lideres' && !encryption) throw new AppError('unavailable', texts.leadersClosed)
      const mapping: StoredMapping = { ...row.mapping, campos: mapeamento, declaraNovidades }
      await database.transaction(async (tx) => {
        if (row.kind === 'assinaturas') {
          const { rows } = await tx.execute(
            sql`select 1 from campaigns where slug = ${campanha ?? ''} for no key update`,
          )
          if (rows.length === 0)
            throw new AppError('invalid', peopleTexts.campanha, { errors: { campanha: peopleTexts.campanha } })
          if (await hasErasedSignatures(tx, campanha ?? ''))
            throw new AppError('conflict', texts.campaignErased, { errors: { campanha: texts.campaignErased } })
        }
        const { rows } = await tx.execute(sql`
          update imports set status = 'running', mapping = ${JSON.stringify(mapping)}::jsonb, origem = ${origem},
            "legalBasis" = ${baseLegal}, campanha = ${row.kind === 'assinaturas' ? (campanha ?? null) : null}, "updatedAt" = now()
          where id = ${id} and status = 'staged' and file is not null returning 1`)
        if (rows.length === 0) throw new AppError('conflict', texts.notStaged)
        const news = declaraNovidades ? ['declarou aceite de novidades'] : []
        const target = [row.kind, `importação ${id}`, ...(campanha ? [campanha] : []), `${row.total} linhas`]
        await audit(tx, [...target, `origem ${origem}`, ...news, `base legal: ${baseLegal}`].join(', '))
      })
    },

    async cancel(id: string, audit: Audit): Promise<void> {
      await find(id)
      await database.transaction(async (tx) => {
        const { rows } = await tx.execute<{ kind: string; accepted: number }>(sql`
          update imports set status = 'cancelled', "updatedAt" = now()
          where id = ${id} and status in ('staged', 'running') returning kind, accepted`)
        const [cancelled] = rows
        if (!cancelled) throw new AppError('conflict', texts.notRunning)
        await audit(tx, `${cancelled.kind}, importação ${id}, ${cancelled.accepted} aceitas`)
      })
    },

    /** The settings of a started import, with the current version of the manifesto. */
    async settingsOf(id: number): Promise<ImportSettings> {
      const row = await find(id)
      const [campaign] = await database.query<{ versaoManifesto: number }>(
        '',
        'select "versaoManifesto" from campaigns where slug = $1',
        [row.campanha],
      )
      return {
        ...settingsFor(row, row.mapping.campos ?? {}),
        versaoManifesto: campaign?.versaoManifesto ?? null,
      }
    },

    /** The rejected lines as CSV, in steps. */
    async rejections(id: string): Promise<AsyncIterable<Uint8Array>> {
      const row = await find(id)
      const file = await fileOf(id)
      return rejectionFile(database, row, file)
    },
  }
}

async function* rejectionFile(
  database: Database,
  { id, mapping, rejected }: ImportRow,
  file: Buffer | null,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let linhas = 0
  const piece = (text: string) => {
    const content = Buffer.from(text)
    bytes += content.length
    return [pieceHead(content.length), content]
  }
  yield* writeNote({ nome: `rejeitadas-${id}.csv`, total: rejected, exato: true })
  const titles = ['Linha', 'Motivo', ...(file ? mapping.colunas.map(cellOf) : [])]
  yield* piece(byteOrderMark + csvRecord(titles))
  const originals = file ? readStagedRows(file) : undefined
  for (let above = 0; ; ) {
    const rows = await database.query<{ line: number; reason: string }>(
      '',
      `select line, reason from import_rejections where "importId" = $1 and line > $2 order by line limit ${rejectionStep}`,
      [id, above],
    )
    const records: string[] = []
    for (const { line, reason } of rows) {
      let cells: string[] = []
      // Both are in the order of the file.
      for (let next = await originals?.next(); next && !next.done; next = await originals?.next()) {
        if (next.value.line !== line) continue
        cells = next.value.cells
        break
      }
      records.push(csvRecord([String(line), cellOf(reason), ...cells.map(cellOf)]))
      above = line
    }
    linhas += rows.length
    yield* piece(records.join(''))
    yield* writeNote({ linhas })
    if (rows.length < rejectionStep) break
  }
  yield* writeNote({ fim: { linhas, bytes } })
}

// Encodes rows as one binary array parameter per column: parsing JSON took a quarter of the time of storing the rows.

interface ColumnType<Value> {
  name: string
  /** The object id of the type in PostgreSQL. */
  oid: number
  /** An upper bound for the encoded size. */
  maxBytes(value: Value): number
  /** Returns the number of bytes written. */
  write(bytes: Buffer, offset: number, value: Value): number
}

/** The maximum in UTF-8 for one UTF-16 code unit. A surrogate pair takes four bytes for two units. */
const maxBytesPerUnit = 3

const text: ColumnType<string> = {
  ...{ name: 'text', oid: 25 },
  maxBytes: (value) => maxBytesPerUnit * value.length,
  write: (bytes, offset, value) => bytes.write(value, offset),
}
const uuid: ColumnType<string> = {
  ...{ name: 'uuid', oid: 2950 },
  maxBytes: () => 16,
  write: (bytes, offset, value) => bytes.write(value.replaceAll('-', ''), offset, 'hex'),
}
const bool: ColumnType<boolean> = {
  ...{ name: 'bool', oid: 16 },
  maxBytes: () => 1,
  write: (bytes, offset, value) => bytes.writeUInt8(value ? 1 : 0, offset) - offset,
}
const int: ColumnType<number> = {
  ...{ name: 'int', oid: 23 },
  maxBytes: () => 4,
  write: (bytes, offset, value) => bytes.writeInt32BE(value, offset) - offset,
}
export const kinds = { text, uuid, bool, int }

/** Encodes an array with one dimension, which may contain nulls and starts at index 1. */
function encodeArray<Value>({ oid, maxBytes, write }: ColumnType<Value>, values: (Value | null | undefined)[]): Buffer {
  const header = [1, 1, oid, values.length, 1]
  let maxSize = 4 * header.length
  for (const value of values) maxSize += 4 + (value == null ? 0 : maxBytes(value))
  const bytes = Buffer.allocUnsafe(maxSize)
  let offset = 0
  for (const field of header) offset = bytes.writeInt32BE(field, offset)
  for (const value of values) {
    const written = value == null ? -1 : write(bytes, offset + 4, value)
    offset = bytes.writeInt32BE(written, offset) + Math.max(written, 0)
  }
  return bytes.subarray(0, offset)
}

type ColumnTypeOf<Value> = ColumnType<NonNullable<Value>>

interface BinaryColumns<Row> {
  /** The quoted column names, separated by commas. */
  names: string
  /** A select list that unnests the parameters, from `$1` on, into rows. */
  rows: string
  /** One parameter per column. */
  parameters(rows: Row[]): Buffer[]
}

export function binaryColumns<Row extends object>(
  columns: {
    [Name in keyof Row]-?: ColumnTypeOf<Row[Name]>
  },
): BinaryColumns<Row> {
  const entries = Object.entries(columns) as [keyof Row & string, ColumnType<unknown>][]
  return {
    names: entries.map(([name]) => `"${name}"`).join(', '),
    rows: entries.map(([name, type], index) => `unnest($${index + 1}::${type.name}[]) as "${name}"`).join(', '),
    parameters: (rows) =>
      entries.map(([name, type]) =>
        encodeArray(
          type,
          rows.map((row) => row[name]),
        ),
      ),
  }
}

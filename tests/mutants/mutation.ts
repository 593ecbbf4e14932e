export const areas = ['signing', 'limits', 'sessions', 'outbox', 'news', 'sanitising'] as const
export type Area = (typeof areas)[number]

export interface Mutation {
  /** Relative to src/server. */
  file: string
  /** The wrong behaviour, for the report. */
  change: string
  /** Occurs once in the file. */
  find: string
  replace: string
  tests: string[]
  /** Part of a test title: only these tests run, because the whole file takes long. */
  title?: string
  /** Engine of the HTTP tests. The default is the embedded one; some changes show only in concurrent transactions. */
  engine?: 'postgres'
  /** The change can keep a test from ending. */
  mayHang?: true
}

export interface Mutant extends Mutation {
  area: Area
}

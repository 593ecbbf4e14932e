// What a mutant is: one change to one file of the server, and the tests that should notice it.
export const areas = ['signing', 'limits', 'sessions', 'outbox', 'sanitising'] as const
export type Area = (typeof areas)[number]

export interface Mutation {
  /** Below src/server. */
  file: string
  /** What goes wrong, for the report. */
  change: string
  /** Occurs once in the file. */
  find: string
  replace: string
  tests: string[]
  /** Runs the tests with this title alone, where the whole file takes long. */
  title?: string
  /** Of the HTTP tests; the embedded one unless the change shows only between concurrent transactions. */
  engine?: 'postgres'
  /** The change can keep a test from ending. */
  mayHang?: true
}

export interface Mutant extends Mutation {
  area: Area
}

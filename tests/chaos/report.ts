// What each test has seen, as one row of the table that `npm run chaos` ends with.
import { appendFileSync } from 'node:fs'
import type { Audit } from '#tests/chaos/books.ts'
import type { Signers } from '#tests/helpers/signers.ts'

export interface Sight {
  test: string
  serverKills?: number
  /** Kills of a worker in the middle of sending e-mails. */
  mailKills?: number
  databaseCrashes?: number
  stops?: number
  acknowledged?: number
  retried?: number
  audit?: Audit
  /** Whatever else is worth a look. */
  notes?: string
}

export function tell({ audit, ...sight }: Sight): void {
  const { lost, repeated, drift } = audit ?? {}
  const row = { ...sight, lost: lost?.length, twice: repeated?.length, drift: drift?.length }
  console.log(JSON.stringify(row))
  const file = process.env.CHAOS_REPORT
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`)
}

/** Of several crowds together. */
export function figuresOf(...crowds: Signers[]): Required<Pick<Sight, 'acknowledged' | 'retried' | 'notes'>> {
  const sum = (count: (signers: Signers) => number) => crowds.reduce((total, signers) => total + count(signers), 0)
  const outcomes: Record<string, number> = {}
  for (const signers of crowds)
    for (const [outcome, times] of Object.entries(signers.outcomes()))
      outcomes[outcome] = (outcomes[outcome] ?? 0) + (times ?? 0)
  return {
    acknowledged: sum(({ acknowledged }) => acknowledged.size),
    retried: sum((signers) => signers.retried()),
    notes: Object.entries(outcomes)
      .map(([outcome, times]) => `${outcome}: ${times}`)
      .join(', '),
  }
}

// Result of a test, as a row of the table that `npm run chaos` prints.
import { appendFileSync } from 'node:fs'
import type { Audit } from '#tests/chaos/audit.ts'
import type { Signers } from '#tests/helpers/signers.ts'

export interface ChaosResult {
  test: string
  serverKills?: number
  /** Kills of a worker while it sends e-mails. */
  mailKills?: number
  databaseCrashes?: number
  stops?: number
  acknowledged?: number
  retried?: number
  audit?: Audit
  notes?: string
}

export function reportResult({ audit, ...figures }: ChaosResult): void {
  const { lost, repeated, drift } = audit ?? {}
  const row = { ...figures, lost: lost?.length, twice: repeated?.length, drift: drift?.length }
  console.log(JSON.stringify(row))
  const file = process.env.CHAOS_REPORT
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`)
}

/** Sums over several groups of signers. */
export function figuresOf(...groups: Signers[]): Required<Pick<ChaosResult, 'acknowledged' | 'retried' | 'notes'>> {
  const sum = (count: (signers: Signers) => number) => groups.reduce((total, signers) => total + count(signers), 0)
  const outcomes: Record<string, number> = {}
  for (const signers of groups)
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

// Known vulnerabilities of the locked packages: evaluates what `npm audit --json` says with tests/audit-allowed.json.
import { z } from 'zod'

const allowedEntry = z.strictObject({
  package: z.string().min(1),
  /** Id of the GitHub advisory. */
  advisory: z.string().regex(/^GHSA(-[0-9a-z]{4}){3}$/),
  /** Why it does not affect this site. */
  reason: z.string().min(20),
  /** The last day on which the advisory is allowed. */
  expires: z.iso.date(),
})
export type AllowedAdvisory = z.infer<typeof allowedEntry>

export function readAllowed(text: string): AllowedAdvisory[] {
  return z.array(allowedEntry).parse(JSON.parse(text))
}

/** An advisory. A text names another package of the report, through which the package is affected. */
const cause = z.union([
  z.string(),
  z.object({
    source: z.number(),
    name: z.string(),
    title: z.string(),
    url: z.string(),
    severity: z.string(),
    range: z.string(),
  }),
])

const report = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(cause) })),
})

const failedRequest = z.object({ message: z.string().optional(), statusCode: z.number().min(400).optional() })
const failedCommand = z.object({ error: z.object({ code: z.string(), summary: z.string() }) })
const networkErrors =
  /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)$/
const networkMessage = /\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|network|socket|only-if-cached)\b/i

export type AuditResult =
  | { kind: 'answered'; problems: string[]; notes: string[] }
  /** The registry does not answer: nothing is known. */
  | { kind: 'no-answer'; reason: string }
  /** npm failed for another reason, or its reply has an unknown form. */
  | { kind: 'failed'; reason: string }

interface Audit {
  /** What `npm audit --json` printed. Its exit code says nothing more. */
  output: string
  allowed: AllowedAdvisory[]
  /** As YYYY-MM-DD. */
  today: string
}

export function evaluateAudit({ output, allowed, today }: Audit): AuditResult {
  const reply = parseJson(output)
  const answered = report.safeParse(reply)
  if (!answered.success) return failureOf(reply, output)

  const found = new Map<string, { name: string; id: string; text: string }>()
  for (const { via } of Object.values(answered.data.vulnerabilities)) {
    for (const each of via) {
      if (typeof each === 'string') continue
      const { name, source, title, url, severity, range } = each
      const [id = String(source)] = /GHSA(-[0-9a-z]{4}){3}/.exec(url) ?? []
      found.set(`${name} ${id}`, { name, id, text: `${name} ${range}: ${title} (${severity}, ${url})` })
    }
  }
  const problems: string[] = []
  for (const { name, id, text } of found.values()) {
    const entries = allowed.filter((entry) => entry.package === name && entry.advisory === id)
    if (entries.some(({ expires }) => expires >= today)) continue
    const [expired] = entries
    problems.push(expired ? `${text}: allowed until ${expired.expires} only` : text)
  }
  // A report without causes would otherwise pass although it names packages.
  const names = Object.keys(answered.data.vulnerabilities)
  if (names.length > 0 && found.size === 0) problems.push(`vulnerable without an advisory: ${names.join(', ')}`)
  const notes = allowed
    .filter((entry) => !found.has(`${entry.package} ${entry.advisory}`))
    .map((entry) => `${entry.package} ${entry.advisory} is allowed, but no longer reported: remove the entry`)
  return { kind: 'answered', problems, notes }
}

function failureOf(reply: unknown, output: string): Exclude<AuditResult, { kind: 'answered' }> {
  const request = failedRequest.safeParse(reply).data
  const command = failedCommand.safeParse(reply).data?.error
  const status = request?.statusCode
  if (status !== undefined) return { kind: 'no-answer', reason: request?.message ?? `status ${status}` }
  const message = command?.summary || request?.message || ''
  if (networkErrors.test(command?.code ?? '') || networkMessage.test(message))
    return { kind: 'no-answer', reason: message || String(command?.code) }
  return { kind: 'failed', reason: message || output.slice(0, 500) || 'npm audit printed nothing' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// The quick suite runs these HTTP tests on PostgreSQL too. The full suite runs all HTTP tests on both engines.
export const engineDependentFiles = [
  'tests/http/admin-campaigns.test.ts',
  'tests/http/admin-contents.test.ts',
  'tests/http/admin-conversations.test.ts',
  'tests/http/admin-numbers.test.ts',
  'tests/http/admin-team.test.ts',
  'tests/http/binary-columns.test.ts',
  'tests/http/campaign-lifecycle.test.ts',
  'tests/http/counts.test.ts',
  'tests/http/news.test.ts',
  'tests/http/outbox.test.ts',
  'tests/http/people-folding.test.ts',
  'tests/http/people-import.test.ts',
  'tests/http/people-workflow.test.ts',
  'tests/http/people.test.ts',
  'tests/http/signature-counts.test.ts',
  'tests/http/signing.test.ts',
]

import { missingTools } from '#tests/helpers/tools.ts'

const missing = missingTools()
if (missing.length > 0) {
  process.stderr.write(`This needs ${missing.join(', ')}. On Debian and Ubuntu: npm run setup:debian\n`)
  process.exit(1)
}

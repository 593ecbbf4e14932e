// npm run verify-audit [-- POSITION HASH]: verifies the hash chain of the audit log.
import { runCommand } from './command.mjs'

await runCommand('src/server/verify-audit.ts', { takes: 'name' })

// npm run password -- USERNAME: a new password for an administrator who lost theirs.
import { runCommand } from './command.mjs'

await runCommand('src/server/password.ts', { takes: 'name' })

// npm run password -- USERNAME: sets a new password for an administrator.
import { runCommand } from './command.mjs'

await runCommand('src/server/password.ts', { takes: 'name' })

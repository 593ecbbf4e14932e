// npm run rotate-key: encrypts all stored values with the current key.
import { runCommand } from './command.mjs'

await runCommand('src/server/rotate-key.ts', { takes: 'name' })

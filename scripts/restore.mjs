// npm run restore -- FILE [--substituir]: puts a backup into the database that is configured.
import { runCommand } from './command.mjs'

await runCommand('src/server/restore.ts')

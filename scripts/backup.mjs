// npm run backup -- FILE: everything the site keeps in one file, also while it is running.
import { runCommand } from './command.mjs'

await runCommand('src/server/backup.ts')

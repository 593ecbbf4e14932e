// npm run backup -- FILE
import { runCommand } from './command.mjs'

await runCommand('src/server/backup.ts')

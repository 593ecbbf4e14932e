// npm run restore -- FILE [--substituir]
import { runCommand } from './command.mjs'

await runCommand('src/server/restore.ts')

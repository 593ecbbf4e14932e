// npm run migrate: migrates the database and gives the role of the site its rights.
import { runCommand } from './command.mjs'

await runCommand('src/server/migrate.ts')

// npm run restore: puts a backup into the database that is configured, embedded or PostgreSQL, wherever it was made.
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { readRemovals } from '#server/core/removal-journal.ts'
import { parkEmails, replayRemovals } from '#server/db/after-restore.ts'
import { checkBackup } from '#server/db/backup-file.ts'
import { openEngine } from '#server/db/engine.ts'
import { restoreDatabase } from '#server/db/restore.ts'
import { aboutSecrets, endWith, placeOf, readArguments, say, sumUp } from '#server/terminal.ts'

async function main(): Promise<void> {
  const { subject: file, given } = readArguments('npm run restore -- ARQUIVO [--substituir]', ['--substituir'])
  const config = readConfig()
  // Before an embedded database is made for nothing.
  await checkBackup(file)
  say(`✓ a cópia está inteira\n… restaurando para ${placeOf(config)}`)
  const engine = await openEngine(config, createLog(config.logLevel))
  try {
    const counts = await restoreDatabase(engine, {
      file,
      async finish(client, backupAt) {
        const { removed, left } = await replayRemovals(client, readRemovals(config, backupAt))
        if (removed + left > 0) say(`✓ remoções feitas depois da cópia: ${removed}; descadastros: ${left}`)
        if ((await parkEmails(client)) > 0)
          say('✓ os e-mails que estavam na fila não serão enviados; veja em /admin/sistema')
      },
      replace: given.has('--substituir'),
      tell: (table, rows) => say(`✓ ${table} ${rows.toLocaleString('pt-BR')}`),
    })
    say(`\nRestaurado para ${placeOf(config)}: ${sumUp(counts)}.\n${aboutSecrets(config)}`)
  } finally {
    await engine.stop()
  }
}

await main().catch(endWith)

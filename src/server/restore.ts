// npm run restore: loads a backup of any engine into the configured database, embedded or PostgreSQL.
import type { ClientBase } from 'pg'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { isEmptyJournal, readRemovals } from '#server/core/removal-journal.ts'
import { openAddressKey } from '#server/db/address-key.ts'
import { cancelImports, deadLetterEmails, pauseNews, replayRemovals } from '#server/db/after-restore.ts'
import { checkBackup } from '#server/db/backup-file.ts'
import { openEngine } from '#server/db/engine.ts'
import { type ErasureList, readErasureList, replayErasures, withRestoredKey } from '#server/db/replay-erasures.ts'
import { restoreDatabase } from '#server/db/restore.ts'
import {
  dataKeyReminder,
  describeDatabase,
  exitWithError,
  newsConsentWithdrawn,
  printLine,
  readArguments,
  summarizeCounts,
} from '#server/terminal.ts'

async function main(): Promise<void> {
  const { argument: file, flags } = readArguments('npm run restore -- ARQUIVO [--substituir]', ['--substituir'])
  const config = readConfig()
  // Checked before openEngine, which would create an embedded database even for an unusable backup.
  const source = { file, key: config.backupKey }
  await checkBackup(source)
  printLine(`✓ a cópia está inteira\n… restaurando para ${describeDatabase(config)}`)
  let erasures: ErasureList = { people: [], keys: [] }
  const log = createLog(config.logLevel)
  const engine = await openEngine(config, log)

  async function replayJournals(client: ClientBase, backupAt: Date): Promise<void> {
    const journal = readRemovals(config, backupAt)
    const list = await withRestoredKey(client, erasures, config)
    // Without a journal this is probably a new server, and nobody is left who has the key.
    const replacesLost = isEmptyJournal(journal) && list.people.length === 0
    const { key: restoredKey, wasLost } = await openAddressKey(client, config, log, { replacesLost })
    if (wasLost)
      printLine(
        `! a cópia é de um site com outra DATA_KEY, e a chave dos endereços não pôde ser lida. ${newsConsentWithdrawn} Para não perder isso, restaure de novo com a DATA_KEY daquele site, ou com o enderecos.chave da pasta de dados dele.`,
      )
    const { removed, unsubscribed } = await replayRemovals(client, journal)
    if (removed + unsubscribed > 0)
      printLine(`✓ remoções feitas depois da cópia: ${removed}; descadastros: ${unsubscribed}`)
    const erased = await replayErasures(client, list, { config, restoredKey })
    if (erased > 0) printLine(`✓ pessoas apagadas por completo depois da cópia: ${erased}`)
  }

  try {
    const counts = await restoreDatabase(engine, {
      ...source,
      async prepare(client) {
        erasures = await readErasureList(client, config)
      },
      async finish(client, backupAt) {
        await replayJournals(client, backupAt)
        if ((await cancelImports(client)) > 0) printLine('✓ as importações que não tinham terminado foram canceladas')
        if ((await pauseNews(client)) > 0)
          printLine('✓ os envios de novidades estão pausados: confira em /admin/novidades antes de retomar')
        if ((await deadLetterEmails(client)) > 0)
          printLine('✓ os e-mails que estavam na fila não serão enviados; veja em /admin/sistema')
      },
      replace: flags.has('--substituir'),
      tell: (table, rows) => printLine(`✓ ${table} ${rows.toLocaleString('pt-BR')}`),
    })
    printLine(`\nRestaurado para ${describeDatabase(config)}: ${summarizeCounts(counts)}.\n${dataKeyReminder(config)}`)
  } finally {
    await engine.stop()
  }
}

await main().catch(exitWithError)

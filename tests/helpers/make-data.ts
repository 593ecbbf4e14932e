// Starts a site for the first time and stores its data for tests/helpers/prepared-data.ts.
import { createLog } from '#server/core/log.ts'
import { readDatabase } from '#server/db/backup.ts'
import { writeBackup } from '#server/db/backup-file.ts'
import { openEngine } from '#server/db/engine.ts'
import { startServer } from '#server/server-process.ts'
import { openBuild } from '#server/ssr/renderer.ts'
import type { PreparedData } from '#tests/helpers/prepared-data.ts'
import { testConfig } from '#tests/helpers/template.ts'

export async function makeData({ folder, backup }: PreparedData): Promise<void> {
  const config = testConfig({ DATA_DIR: folder })
  const engine = await openEngine(config)
  const log = createLog('silent')
  const node = await startServer({ config, engine, log, renderer: await openBuild(), deliveries: 'off' })
  await node.close()
  await writeBackup(
    backup,
    readDatabase(engine, () => {}),
  )
  await engine.stop()
}

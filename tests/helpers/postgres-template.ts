import type { TestProject } from 'vitest/node'
import { openEngine } from '#server/db/engine.ts'
import { restoreDatabase } from '#server/db/restore.ts'
import { memoryFolder } from '#tests/helpers/memory-folder.ts'
import { chownToUnprivileged, createCluster } from '#tests/helpers/postgres.ts'
import { prepareData } from '#tests/helpers/prepared-data.ts'
import { testConfig } from '#tests/helpers/template.ts'

export default async function setup(project: TestProject) {
  const { backup } = await prepareData()
  // This data does not have to survive a crash.
  const cluster = await createCluster({ fsync: 'off', full_page_writes: 'off' }, chownToUnprivileged(memoryFolder()))
  const engine = await openEngine(testConfig({ DATABASE_URL: await cluster.createDatabase('modelo') }))
  await restoreDatabase(engine, {
    file: backup,
    replace: false,
    prepare: async () => {},
    finish: async () => {},
    tell: () => {},
  })
  await engine.stop()
  project.provide('source', { kind: 'postgres', url: cluster.url() })
  return () => cluster.remove()
}

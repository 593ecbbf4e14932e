// One PostgreSQL for the run, with a database migrated and filled once; every test file starts from a copy of it.
import type { TestProject } from 'vitest/node'
import { openEngine } from '#server/db/engine.ts'
import { createCluster } from '#tests/helpers/postgres.ts'
import { fillTemplate, testConfig } from '#tests/helpers/template.ts'

export default async function setup(project: TestProject) {
  // Nothing here survives a crash, and nothing has to.
  const cluster = await createCluster({ fsync: 'off', full_page_writes: 'off' })
  const config = testConfig({ DATABASE_URL: await cluster.createDatabase('modelo') })
  await fillTemplate(config, await openEngine(config))
  project.provide('source', { kind: 'postgres', url: cluster.url() })
  return () => cluster.remove()
}

// One embedded database, migrated and filled once; every test file starts from a copy of its folder.
import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { openEngine } from '#server/db/engine.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { fillTemplate, testConfig } from '#tests/helpers/template.ts'

export default async function setup(project: TestProject) {
  const folder = temporaryFolder()
  const config = testConfig({ DATA_DIR: folder })
  const engine = await openEngine(config)
  await fillTemplate(config, engine)
  await engine.stop()
  project.provide('source', { kind: 'embedded', folder })
  return () => rmSync(folder, { recursive: true, force: true })
}

import type { TestProject } from 'vitest/node'
import { prepareData } from '#tests/helpers/prepared-data.ts'

export default async function setup(project: TestProject) {
  const { folder } = await prepareData()
  project.provide('source', { kind: 'embedded', folder })
}

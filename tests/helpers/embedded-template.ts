// The embedded database that every test file starts from a copy of.
import type { TestProject } from 'vitest/node'
import { prepareData } from '#tests/helpers/prepared-data.ts'

export default async function setup(project: TestProject) {
  // Mutated sources start from the data of the others: tests/mutants/run.ts.
  const folder = process.env.EMBEDDED_TEMPLATE || (await prepareData()).folder
  project.provide('source', { kind: 'embedded', folder })
}

import { defineConfig } from 'vitest/config'
import { size } from './tests/chaos/size.ts'

export default defineConfig({
  test: {
    // Much of the time is spent waiting for databases and processes.
    maxWorkers: 2,
    projects: [
      {
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts', 'tests/architecture.test.ts'], testTimeout: 30_000 },
      },
      {
        test: {
          name: 'http-embedded',
          include: ['tests/http/**/*.test.ts'],
          globalSetup: 'tests/helpers/embedded-template.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'http-postgres',
          include: ['tests/http/**/*.test.ts'],
          globalSetup: 'tests/helpers/postgres-template.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'chaos',
          include: ['tests/chaos/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: size.testTimeoutMs,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})

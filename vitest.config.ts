import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { size } from './tests/chaos/size.ts'
import { engineDependentFiles } from './tests/engine-dependent-files.ts'

/** The default is a second, which a busy machine exceeds. Polls only detect hangs. */
const expect = { poll: { timeout: 10_000 } }

/** Tests against a site in the same process. A worker loads its modules once for all files that it runs. */
const http = { testTimeout: 30_000, hookTimeout: 60_000, isolate: false, expect } as const
const postgres = { ...http, globalSetup: 'tests/helpers/postgres-template.ts' }

export default defineConfig({
  test: {
    // Tests spend much of their time waiting for databases and timers.
    maxWorkers: availableParallelism() + 2,
    tags: [{ name: 'slow', description: 'Takes seconds of computing: left to the full suite.' }],
    coverage: { include: ['src/**'], reporter: ['text-summary', 'html'], reportsDirectory: 'test-results/coverage' },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts', 'tests/architecture.test.ts'],
          testTimeout: 30_000,
          isolate: false,
          expect,
        },
      },
      {
        test: {
          ...http,
          name: 'http-embedded',
          include: ['tests/http/**/*.test.ts'],
          globalSetup: 'tests/helpers/embedded-template.ts',
        },
      },
      { test: { ...postgres, name: 'http-postgres', include: engineDependentFiles } },
      {
        test: {
          ...postgres,
          name: 'http-postgres-rest',
          include: ['tests/http/**/*.test.ts'],
          exclude: engineDependentFiles,
        },
      },
      {
        test: {
          name: 'chaos',
          include: ['tests/chaos/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: size.testTimeoutMs,
          hookTimeout: 120_000,
          expect,
        },
      },
    ],
  },
})

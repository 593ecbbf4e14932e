import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'

import { headlessChromium } from './tests/helpers/chromium.ts'
import { findHeadlessChromium } from './tests/helpers/tools.ts'

/** The quick suite is the page matrix and the tagged scenarios, on a phone. */
const suite = process.env.BROWSER_SUITE ?? 'all'
const quick = /@quick/

/**
 * Scenarios run once, at phone width, which most visitors use. Files whose result depends on the width run here too.
 */
const desktop = {
  name: 'desktop',
  testMatch:
    /(every-page|navigation|contents|community|admin-session|admin-site|admin-campaign-lifecycle|admin-dashboard|origins|news-pages|[\\/]campaigns)\.spec\.ts$/,
  use: { viewport: { width: 1280, height: 800 } },
}

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './tests/e2e/site.ts',
  outputDir: 'test-results/browser',
  workers: availableParallelism() + 1,
  // The timeouts only detect hangs. Slow answers on a busy machine must not fail a test.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  maxFailures: 12,
  forbidOnly: true,
  reporter: [['line'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    // Without a browser, tests can still be listed.
    ...(findHeadlessChromium() && { launchOptions: headlessChromium() }),
  },
  projects: [
    {
      name: 'phone',
      ...(suite === 'quick' && { grep: quick }),
      ...(suite === 'rest' && { grepInvert: quick }),
      use: { ...devices['Galaxy S9+'], viewport: { width: 360, height: 740 }, deviceScaleFactor: 1 },
    },
    ...(suite === 'quick' ? [] : [desktop]),
  ],
})

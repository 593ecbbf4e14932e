import { defineConfig, devices } from '@playwright/test'
import { chromiumFlags, findChromium } from './tests/helpers/chromium.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './tests/e2e/site.ts',
  outputDir: 'test-results/browser',
  workers: 2,
  // A hang is what these are against: how long a busy machine takes is no finding.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  maxFailures: 12,
  forbidOnly: true,
  reporter: [['line'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    launchOptions: { executablePath: findChromium(), args: chromiumFlags },
  },
  projects: [
    { name: 'phone', use: { ...devices['Galaxy S9+'], viewport: { width: 360, height: 740 }, deviceScaleFactor: 1 } },
    // Errands are run once, on the phone where most people are; what depends on the width is looked at here too.
    {
      name: 'desktop',
      testMatch: /(every-page|navigation|contents|community|admin-session)\.spec\.ts$/,
      use: { viewport: { width: 1280, height: 800 } },
    },
  ],
})

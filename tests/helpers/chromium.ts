import { findChromium, findHeadlessChromium } from '#tests/helpers/tools.ts'

/** Root cannot use the sandbox. The other flags stop network traffic that the browser starts by itself. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** For `chromium.launch`. */
export function headlessChromium(flags: string[] = []) {
  return { executablePath: requirePath(findHeadlessChromium()), args: [...chromiumFlags, ...flags] }
}

/**
 * `launchOptions` for tests that need features that the headless shell lacks. Without a browser, the tests can still be
 * listed.
 */
export function fullChromiumOptions() {
  const executablePath = findChromium()
  return { args: chromiumFlags, ...(executablePath && { executablePath }) }
}

/** The full browser, which measurements use because visitors have it. */
export const fullChromiumPath = () => requirePath(findChromium())

function requirePath(path: string | undefined): string {
  if (!path) throw new Error('Chromium was not found: install it, or name it in CHROMIUM_PATH')
  return path
}

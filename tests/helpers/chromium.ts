// How tests start Chromium.
import { findChromium, findHeadlessChromium } from '#tests/helpers/tools.ts'

/** No sandbox, which root cannot have; nothing that the browser would do on its own. */
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
  return { executablePath: found(findHeadlessChromium()), args: [...chromiumFlags, ...flags] }
}

/** For `launchOptions` of tests that need what the browser without a window lacks. Without a browser they can still be listed. */
export function wholeChromiumOptions() {
  const executablePath = findChromium()
  return { args: chromiumFlags, ...(executablePath && { executablePath }) }
}

/** The browser as people have it: what is measured is measured there. */
export const wholeChromium = () => found(findChromium())

function found(path: string | undefined): string {
  if (!path) throw new Error('Chromium was not found: install it, or name it in CHROMIUM_PATH')
  return path
}

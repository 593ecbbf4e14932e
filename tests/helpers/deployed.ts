// The configuration of deploy/ as it is, on the ports and in the folders of a test.
import { readFileSync } from 'node:fs'

/** The text of a file, each of `places` put elsewhere. One that is not there fails: the test would run something else than it says. */
export function deployed(file: string, places: Record<string, string> = {}): string {
  let text = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
  for (const [place, elsewhere] of Object.entries(places)) {
    if (!text.includes(place)) throw new Error(`deploy/${file} does not say ${place}`)
    text = text.replaceAll(place, elsewhere)
  }
  return text
}

/** The settings of one or more files of PostgreSQL. */
export function deployedSettings(...files: string[]): Record<string, string> {
  const lines = files.flatMap((file) => deployed(`postgresql/${file}`).split('\n'))
  const settings = lines.map((line) => /^(\w+) = '?([^'#]+?)'?\s*$/.exec(line)).filter((found) => found !== null)
  return Object.fromEntries(settings.map(([, name, value]) => [name, value]))
}

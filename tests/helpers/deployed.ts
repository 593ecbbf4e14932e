import { readFileSync } from 'node:fs'

/**
 * The text of a file of deploy/ with replacements for ports and folders. A string that does not occur is an error: the
 * test would run another configuration than it claims.
 */
export function deployed(file: string, replacements: Record<string, string> = {}): string {
  let text = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
  for (const [original, replacement] of Object.entries(replacements)) {
    if (!text.includes(original)) throw new Error(`deploy/${file} does not say ${original}`)
    text = text.replaceAll(original, replacement)
  }
  return text
}

/** The settings in configuration files of PostgreSQL. */
export function deployedSettings(...files: string[]): Record<string, string> {
  const lines = files.flatMap((file) => deployed(`postgresql/${file}`).split('\n'))
  const settings = lines.map((line) => /^(\w+) = '?([^'#]+?)'?\s*$/.exec(line)).filter((found) => found !== null)
  return Object.fromEntries(settings.map(([, name, value]) => [name, value]))
}

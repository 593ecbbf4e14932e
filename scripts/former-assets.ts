// Keeps the hashed files of former builds for a week: open pages and pages stored on phones still request them.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

const keptDays = 7
/** Limits the disk space when a developer builds many times a day. */
const maxBuilds = 5

/**
 * Empties a build folder for the next build, except for `assets`. There, files of the replaced build get the current time,
 * and files of builds that were replaced more than `keptDays` ago, or before the last `maxBuilds`, are deleted.
 */
export function retireAssets(folder: string, now = new Date()): void {
  if (!existsSync(folder)) return
  const replaced = filesInManifests(join(folder, '.vite'))
  for (const entry of readdirSync(folder)) if (entry !== 'assets') rmSync(join(folder, entry), { recursive: true })
  const assets = join(folder, 'assets')
  if (!existsSync(assets)) return
  const replacedAt = new Map<string, number>()
  for (const name of readdirSync(assets)) {
    const file = join(assets, name)
    // A compressed copy is kept as long as its file.
    if (replaced.has(name.replace(/\.(br|gz)$/, ''))) utimesSync(file, now, now)
    replacedAt.set(file, Math.round(statSync(file).mtimeMs))
  }
  const builds = [...new Set(replacedAt.values())].sort((a, b) => b - a).slice(0, maxBuilds)
  const oldest = Math.max(builds.at(-1) ?? 0, now.getTime() - keptDays * 86_400_000)
  for (const [file, at] of replacedAt) if (at < oldest) rmSync(file)
}

interface Chunk {
  file: string
  css?: string[]
  assets?: string[]
}

function filesInManifests(folder: string): Set<string> {
  const manifests = existsSync(folder) ? readdirSync(folder) : []
  const chunks = manifests.flatMap((name) =>
    Object.values(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, Chunk>),
  )
  const files = chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])
  return new Set(files.map((file) => file.replace('assets/', '')))
}

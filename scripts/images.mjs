// npm run images: lists the base images of deploy/ that are not pinned by digest. With --pin it writes their digests.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { endWith, root, StepFailed } from './run.mjs'

const args = process.argv.slice(2)
const folder = resolve(args.find((each) => !each.startsWith('--')) ?? join(root, 'deploy'))
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /^Dockerfile|\.ya?ml$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()

/** A line of a Dockerfile, also one within a compose file, or the image of a compose service. */
const reference = /^(\s*(?:FROM\s+(?:--platform=\S+\s+)?|image:\s*))(["']?)([^\s"']+)/gim

/** Images of a registry: no stage of the same file, nothing that compose builds, and not the empty image. */
function imagesOf(text) {
  const ours = new Set(['scratch'])
  for (const [, name] of text.matchAll(/^\s*FROM\s.+\sAS\s+(\S+)/gim)) ours.add(name)
  // The image that compose builds has the name of the project.
  for (const [, name] of text.matchAll(/^name:\s*(\S+)/gm)) ours.add(name)
  return [...text.matchAll(reference)].map(([, , , image]) => image).filter((image) => !ours.has(image))
}

const isPinned = (image) => /@sha256:[0-9a-f]{64}$/.test(image)

/** The digest of the list of all architectures, as the registry has it now. */
function digestOf(image) {
  const inspect = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}']
  let digest
  try {
    digest = execFileSync('docker', inspect, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  } catch (error) {
    throw new StepFailed(
      `${image}: its digest is unknown. docker ${inspect.join(' ')}\n${error.stderr || error.message}`,
    )
  }
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new StepFailed(`${image}: docker answered no digest: ${digest}`)
  return digest
}

function pin() {
  const texts = files.map((file) => [file, readFileSync(file, 'utf8')])
  const open = new Set(texts.flatMap(([, text]) => imagesOf(text)).filter((image) => !isPinned(image)))
  // All digests are read before anything is written.
  const digests = new Map([...open].map((image) => [image, digestOf(image)]))
  for (const [file, text] of texts) {
    const pinned = text.replace(reference, (line, start, quote, image) =>
      digests.has(image) ? `${start}${quote}${image}@${digests.get(image)}` : line,
    )
    if (pinned !== text) writeFileSync(file, pinned)
  }
}

try {
  if (args.includes('--pin')) pin()
  const images = [...new Set(files.flatMap((file) => imagesOf(readFileSync(file, 'utf8'))))].sort()
  for (const image of images) process.stdout.write(`${isPinned(image) ? 'pinned     ' : 'not pinned '} ${image}\n`)
  process.exitCode = images.every(isPinned) ? 0 : 1
} catch (error) {
  endWith(error)
}

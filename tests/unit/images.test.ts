// npm run images: base images without a digest are reported, and pinned with what the registry answers.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#tests/helpers/server-process.ts'

const script = fileURLToPath(new URL('../../scripts/images.mjs', import.meta.url))
const digest = `sha256:${'a1'.repeat(32)}`

/** `docker` replaces the program of that name. */
function images({ args, docker }: { args: string[]; docker?: string }) {
  const programs = temporaryFolder()
  if (docker) writeFileSync(join(programs, 'docker'), `#!/bin/sh\n${docker}\n`, { mode: 0o755 })
  const env = { PATH: `${programs}:/usr/bin:/bin` }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env })
  return { status, stderr, lines: stdout.split('\n').filter(Boolean) }
}

function makeDeployment(): { folder: string; read: (file: string) => string } {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'parts'))
  writeFileSync(
    join(folder, 'parts/Dockerfile'),
    'FROM --platform=linux/amd64 node:24.11.0 AS build\nFROM build AS tools\nfrom debian\nFROM scratch\n# FROM old:1\n',
  )
  writeFileSync(
    join(folder, 'compose.yml'),
    `name: ours\nservices:\n  a:\n    image: ours\n  b:\n    image: "example.org/db:15"\n  c:\n    image: cache:1@${digest}\n  d:\n    build:\n      dockerfile_inline: |\n        FROM debian\n`,
  )
  return { folder, read: (file) => readFileSync(join(folder, file), 'utf8') }
}

const answering = `case "$*" in "buildx imagetools inspect "*" --format {{.Manifest.Digest}}") echo ${digest} ;; *) exit 1 ;; esac`

describe('base images', () => {
  test('of our files have an exact version and a digest', () => {
    const { status, lines } = images({ args: [] })
    expect(lines).toEqual([
      expect.stringMatching(/^pinned +debian:bookworm-\d{8}-slim@/),
      expect.stringMatching(/^pinned +node:\d+\.\d+\.\d+-bookworm-slim@/),
      expect.stringMatching(/^pinned +postgres:\d+\.\d+-bookworm@/),
    ])
    expect(status).toBe(0)
  })

  test('without a digest make the check fail; stages, comments and images that are built here are none', () => {
    const { folder } = makeDeployment()
    expect(images({ args: [folder] })).toMatchObject({
      status: 1,
      lines: [
        `pinned      cache:1@${digest}`,
        'not pinned  debian',
        'not pinned  example.org/db:15',
        'not pinned  node:24.11.0',
      ],
    })
  })

  test('get the digests of the registry with --pin, in every file, and nothing else changes', () => {
    const { folder, read } = makeDeployment()
    expect(images({ args: ['--pin', folder], docker: answering }).status).toBe(0)
    expect(read('parts/Dockerfile')).toBe(
      `FROM --platform=linux/amd64 node:24.11.0@${digest} AS build\nFROM build AS tools\nfrom debian@${digest}\nFROM scratch\n# FROM old:1\n`,
    )
    expect(read('compose.yml')).toContain(`image: "example.org/db:15@${digest}"\n`)
    expect(read('compose.yml')).toContain(`        FROM debian@${digest}\n`)
    expect(read('compose.yml')).toContain(`image: ours\n`)
  })

  test.each([
    ['does not answer', 'echo "no such host" >&2; exit 1', 'no such host'],
    ['answers something else', 'echo "sha256:123"', 'docker answered no digest: sha256:123'],
    ['knows only some of them', `case "$*" in *db*) exit 1 ;; *) echo ${digest} ;; esac`, 'example.org/db:15'],
  ])('stay as they are when the registry %s', (_, docker, message) => {
    const { folder, read } = makeDeployment()
    const before = [read('parts/Dockerfile'), read('compose.yml')]
    const { status, stderr } = images({ args: ['--pin', folder], docker })
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
    expect([read('parts/Dockerfile'), read('compose.yml')]).toEqual(before)
  })
})

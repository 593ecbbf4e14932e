// docs/security.md: all chapters of ASVS, and proofs that exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const text = readFileSync(new URL('docs/security.md', root), 'utf8')
const tests = new Set(
  readdirSync(new URL('tests', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(test|spec)\.ts$/.test(file))
    .map((file) => file.replace(/^.*\//, '').replace(/\.(test|spec)\.ts$/, '')),
)

const rows = text
  .split('\n')
  .filter((line) => /^\| \d+\.\d/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))

test('every chapter of ASVS 5.0 has a heading', () => {
  const headings = text.split('\n').filter((line) => line.startsWith('## '))
  const chapters = headings.flatMap((line) => [...line.matchAll(/\bV(\d+)\b/g)].map(([, n]) => Number(n)))
  expect(chapters.sort((a, b) => a - b)).toEqual(Array.from({ length: 17 }, (_, n) => n + 1))
})

test('every row has a known state, and its requirements are of its chapter', () => {
  const states = ['met', 'partly', 'gap', 'n/a', 'operator']
  expect(rows.length).toBeGreaterThan(80)
  expect(rows.filter(([, , state = '']) => !states.includes(state))).toEqual([])
  const sections = text.split(/\n(?=## )/)
  const misplaced = sections.flatMap((section) => {
    const [, chapter] = /^## V(\d+) /.exec(section) ?? []
    const numbers = [...section.matchAll(/^\| ([\d., –]+) \|/gm)].flatMap(([, cell = '']) => cell.split(/[, –]+/))
    return numbers.filter((number) => number.split('.')[0] !== chapter)
  })
  expect(misplaced).toEqual([])
})

test('a proof names test files that exist, and what is met has a proof or a document', () => {
  const named = rows.flatMap(([, , , proof = '']) =>
    [...proof.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, name]) => name),
  )
  const ownWords = new Set(['nosniff', 'no-store', 'base-uri', 'unsafe-eval'])
  expect([...new Set(named)].filter((name) => !tests.has(String(name)) && !ownWords.has(String(name)))).toEqual([])
})

test('files and documents that the text names exist', () => {
  const paths = [...text.matchAll(/`((?:tests|src|deploy)\/[\w./-]+)`/g)].map(([, path]) => String(path))
  const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => `docs/${link}`)
  expect([...paths, ...links].filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

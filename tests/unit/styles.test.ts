// Checks the style sheets: layers, scales, tokens, and that a class is styled in one folder only.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const web = fileURLToPath(new URL('../../src/web', import.meta.url))
const layers = ['base', 'ui', 'layout', 'page', 'admin']
/** In rem. Below a width means up to 0.01rem less. */
const mediaWidths = [60, 80, 90]

type Sheets = Record<string, string>

interface Rule {
  file: string
  selector: string
  /** The at-rules around it, from the outside. */
  around: string[]
  declarations: [property: string, value: string][]
}

/** All style rules. Descriptors of fonts and steps of animations are not rules. */
function rulesIn(file: string, css: string): Rule[] {
  const rules: Rule[] = []
  const open: Rule[] = []
  for (const [part] of css.replace(/\/\*.*?\*\//gs, '').matchAll(/[^{};]*[{};]/g)) {
    const text = part.slice(0, -1).replace(/\s+/g, ' ').trim()
    const around = open.map(({ selector }) => selector)
    if (part.endsWith('{')) open.push({ file, selector: text, around, declarations: [] })
    const [property = '', value] = text.split(/:(.*)/s)
    if (!part.endsWith('{') && value) open.at(-1)?.declarations.push([property, value.trim()])
    const closed = part.endsWith('}') ? open.pop() : undefined
    const isStyle = closed && [...around.slice(0, -1), closed.selector].every((at) => !/^@(font|key|view)/.test(at))
    if (isStyle && !closed.selector.startsWith('@') && !around.some((at) => at.startsWith('@keyframes')))
      rules.push(closed)
  }
  return rules
}

const allRules = (sheets: Sheets) => Object.entries(sheets).flatMap(([file, css]) => rulesIn(file, css))

const declarationsIn = (sheets: Sheets, property: RegExp) =>
  allRules(sheets).flatMap(({ file, declarations }) =>
    declarations.filter(([name]) => property.test(name)).map(([name, value]) => ({ file, name, value })),
  )

function outsideLayers(sheets: Sheets): string[] {
  return allRules(sheets)
    .filter(({ around }) => !layers.some((layer) => around[0] === `@layer ${layer}`))
    .map(({ file, selector }) => `${file}: ${selector} is in no layer`)
}

/** Zero and hairlines need no token. A length in a function limits or centres a token: `min(var(--space-4), 4vw)`. */
function rawSpacing(sheets: Sheets): string[] {
  return declarationsIn(sheets, /^(margin|padding|gap|row-gap|column-gap|scroll-)/)
    .filter(({ value }) => {
      const plain = value.replace(/(min|max|calc)\((?:[^()]|\([^()]*\))*\)/g, (call) =>
        /var\(|%/.test(call) ? '' : call,
      )
      return [...plain.matchAll(/([\d.]+)(r?em|px|v[hw])\b/g)].some(
        ([, size, unit]) => unit !== 'px' || Number(size) > 3,
      )
    })
    .map(({ file, name, value }) => `${file}: ${name}: ${value} is not of the scale`)
}

function rawTextSizes(sheets: Sheets): string[] {
  return declarationsIn(sheets, /^font(-size)?$/)
    .filter(
      ({ value }) =>
        value !== 'inherit' && !/^(\d{3} )?var\(--(text-[1-8]|counter-size, var\(--text-8\))\)/.test(value),
    )
    .map(({ file, name, value }) => `${file}: ${name}: ${value} is not of the scale`)
}

function otherMediaWidths(sheets: Sheets): string[] {
  const queries = allRules(sheets).flatMap(({ file, around }) => around.map((at) => ({ file, at })))
  return queries
    .filter(({ at }) => at.startsWith('@media'))
    .filter(({ at }) =>
      [...at.matchAll(/(min|max)-width: ([\d.]+)rem/g)].some(
        ([, end, size]) => !mediaWidths.includes(Number(size) + (end === 'max' ? 0.01 : 0)),
      ),
    )
    .map(({ file, at }) => `${file}: ${at} is no breakpoint`)
}

function rawStacking(sheets: Sheets): string[] {
  return declarationsIn(sheets, /^z-index$/)
    .filter(({ value }) => !value.startsWith('var(--z-'))
    .map(({ file, value }) => `${file}: z-index: ${value} is not of the scale`)
}

function rawColours(sheets: Sheets): string[] {
  const colour =
    /#[0-9a-f]{3,8}\b|\b(rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(|(?<![\w-])(white|black|red|green|blue|yellow|gr[ae]y)\b/i
  return declarationsIn(sheets, /./)
    .filter(({ file, value }) => !file.endsWith('tokens.css') && colour.test(value))
    .map(({ file, name, value }) => `${file}: ${name}: ${value} is not a token`)
}

/** The classes of the last element of a selector that has any: the element that the rule styles, or its container. */
function styledClasses(selector: string): string[] {
  const plain = selector.replace(/:(not|has)\((?:[^()]|\([^()]*\))*\)/g, '')
  const elements = plain.split(/[\s>+~]+(?![^(]*\))/).map((element) => [...element.matchAll(/\.([\w-]+)/g)])
  return elements.findLast((classes) => classes.length > 0)?.map(([, name = '']) => name) ?? []
}

function classesOfTwoFolders(sheets: Sheets): string[] {
  const styled = allRules(sheets).flatMap(({ file, selector }) =>
    selector
      .split(/,(?![^(]*\))/)
      .flatMap(styledClasses)
      .map((name) => ({ name, folder: dirname(file) })),
  )
  return [...Map.groupBy(styled, ({ name }) => name)].flatMap(([name, places]) => {
    const folders = [...new Set(places.map(({ folder }) => folder))]
    return folders.length > 1 ? [`.${name} is styled in ${folders.join(' and ')}`] : []
  })
}

const sheets: Sheets = Object.fromEntries(
  globSync('**/*.css', { cwd: web }).map((file) => [file, readFileSync(join(web, file), 'utf8')]),
)

describe('the style sheets', () => {
  test('the test finds sheets and rules', () => {
    expect(Object.keys(sheets).length).toBeGreaterThan(40)
    expect(allRules(sheets).length).toBeGreaterThan(400)
  })

  test('every rule is in one of the five layers', () => expect(outsideLayers(sheets)).toEqual([]))
  test('spacing is of the scale', () => expect(rawSpacing(sheets)).toEqual([]))
  test('text sizes are of the scale', () => expect(rawTextSizes(sheets)).toEqual([]))
  test('there are three breakpoints', () => expect(otherMediaWidths(sheets)).toEqual([]))
  test('stacking is of the scale', () => expect(rawStacking(sheets)).toEqual([]))
  test('colours are tokens', () => expect(rawColours(sheets)).toEqual([]))
  test('a class is styled in one folder', () => expect(classesOfTwoFolders(sheets)).toEqual([]))

  test('the scales are short', () => {
    const names = new Set(declarationsIn(sheets, /^--/).map(({ name }) => name))
    const count = (scale: string) => [...names].filter((name) => name.startsWith(scale)).length
    expect({ space: count('--space-'), text: count('--text-'), z: count('--z-') }).toEqual({ space: 8, text: 8, z: 4 })
  })

  test('every token that is used is declared', () => {
    const declared = new Set(declarationsIn(sheets, /^--/).map(({ name }) => name))
    const used = Object.values(sheets).flatMap((css) => [...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name))
    expect(used.filter((name) => !declared.has(String(name)))).toEqual([])
  })
})

describe('the rules detect violations', () => {
  const inLayer = (css: string) => ({ 'pages/home/a.css': `@layer page { ${css} }` })
  test.each<[string, (sheets: Sheets) => string[], Sheets]>([
    ['a rule outside of the layers', outsideLayers, { 'ui/a.css': '.a { color: inherit; }' }],
    ['a rule in another layer', outsideLayers, { 'ui/a.css': '@layer theme { .a { color: inherit; } }' }],
    ['a raw padding', rawSpacing, inLayer('.a { padding: var(--space-1) 0.6rem; }')],
    ['a raw gap in pixels', rawSpacing, inLayer('.a { gap: 4px; }')],
    ['a calculation without a token', rawSpacing, inLayer('.a { margin: calc(1rem + 2px); }')],
    ['a raw text size', rawTextSizes, inLayer('.a { font-size: 1.1rem; }')],
    ['a raw size in a font', rawTextSizes, inLayer('.a { font: 700 1.1rem / 1.2 var(--sans); }')],
    ['another breakpoint', otherMediaWidths, inLayer('@media (min-width: 48rem) { .a { color: inherit; } }')],
    ['a raw z-index', rawStacking, inLayer('.a { z-index: 10; }')],
    ['a raw colour', rawColours, inLayer('.a { border: 1px solid #fff; }')],
    ['a named colour', rawColours, inLayer('.a { background: white; }')],
    [
      'a class of two folders',
      classesOfTwoFolders,
      { 'ui/a.css': '.a { gap: 0; }', 'layout/b.css': '.b .a:not(.c) { gap: 0; }' },
    ],
  ])('%s', (_name, check, violating) => expect(check(violating)).toHaveLength(1))
})

// Draws campaign posters in the manner of lambe-lambe: type set by satori, art in SVG, pixels by sharp.
// One composition per art; the same poster always gives the same bytes.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import satori from 'satori'
import sharp from 'sharp'
import type { Poster } from '#server/core/poster.ts'

export type { Poster }

const [width, height] = [1080, 1350]
const paper = '#FFF8EC'
const ink = '#1B1410'
const red = '#C4122F'
const deepRed = '#8E0B22'
const yellow = '#FFC400'
const green = '#0B6E4F'
const white = '#FFFFFF'

interface Theme {
  ground: string
  type: string
  accent: string
  onAccent: string
  shade: string
  /** The second ink of a headline: its hard shadow and its edge. */
  cast: string
}

const themes: Record<Poster['tema'], Theme> = {
  red: { ground: red, type: paper, accent: yellow, onAccent: ink, shade: deepRed, cast: ink },
  yellow: { ground: yellow, type: ink, accent: red, onAccent: paper, shade: paper, cast: paper },
  green: { ground: green, type: paper, accent: yellow, onAccent: ink, shade: '#08543C', cast: ink },
  ink: { ground: ink, type: paper, accent: red, onAccent: paper, shade: '#33261F', cast: red },
}

// ---- type

const resolve = createRequire(import.meta.url).resolve
const woff = (path: string) => readFileSync(resolve(`@fontsource/${path}-normal.woff`))
const fonts = [
  { name: 'Anton', data: woff('anton/files/anton-latin-400'), weight: 400 as const, style: 'normal' as const },
  { name: 'Figtree', data: woff('figtree/files/figtree-latin-800'), weight: 800 as const, style: 'normal' as const },
]

interface Setting {
  d: string
  left: number
  right: number
  top: number
  bottom: number
}

/** Text as one outline with its true bounds: accents and cedillas count, side bearings do not. */
async function outline(text: string, style: Record<string, string | number>): Promise<Setting> {
  const box = { boxSizing: 'border-box', lineHeight: 1.5, ...style }
  const element = { type: 'div', key: null, props: { style: box, children: text } }
  const svg = await satori(element, { fonts, height })
  const d = [...svg.matchAll(/ d="([^"]+)"/g)].map((match) => match[1]).join('')
  const pairs = [...d.matchAll(/(-?[\d.]+)[ ,](-?[\d.]+)/g)].map(
    (match) => [Number(match[1]), Number(match[2])] as const,
  )
  const xs = pairs.map(([x]) => x)
  const ys = pairs.map(([, y]) => y)
  return { d, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

const capitals = (text: string) =>
  outline(text.toLocaleUpperCase('pt-BR'), { fontFamily: 'Anton', fontSize: 100, whiteSpace: 'nowrap' })

interface Box {
  x: number
  y: number
  w: number
  h: number
}

interface Paint {
  fill: string
  /** A hard shadow, as of a second ink printed out of register. */
  shadow?: string
  edge?: string
  align?: 'left' | 'middle'
}

// Anton at 100 px on a line of 1.5.
const capTop = 31
const baseline = 117
const leading = 22
const wordSpace = 18

function place(type: Setting, x: number, y: number, scale: number, { fill, shadow, edge }: Paint): string {
  const at = (offset: number, attributes: string) =>
    `<path d="${type.d}" transform="translate(${r(x + offset)} ${r(y + offset)}) scale(${r(scale, 1000)}) translate(${r(-type.left)} ${-capTop})" ${attributes}/>`
  // Small type takes thinner ink, or its counters fill up.
  const stroke = edge ? `stroke="${edge}" stroke-width="${r(Math.min(16 / scale, 10))}" stroke-linejoin="round"` : ''
  return [
    shadow ? at(Math.min(9, scale * 6), `fill="${shadow}" ${stroke}`) : '',
    edge ? at(0, `fill="${edge}" ${stroke}`) : '',
    at(0, `fill="${fill}"`),
  ].join('')
}

/** The two parts of a headline; without a line break the last word stands alone. */
function halves(titulo: string): [string, string] {
  const text = titulo.trim()
  const [, first = text, second = ''] = /^(.+?)\s*\n\s*(.+)$/s.exec(text) ?? /^(.+)\s+(\S+)$/s.exec(text) ?? []
  return [first, second]
}

/** Every way of breaking words into lines. */
function* breakings(words: Setting[]): Generator<Setting[][]> {
  for (let mask = 0; mask < 2 ** (words.length - 1); mask++) {
    const lines: Setting[][] = []
    words.forEach((word, i) => {
      const line = lines.at(-1)
      if (line && !(mask & (1 << (i - 1)))) line.push(word)
      else lines.push([word])
    })
    yield lines
  }
}

/** Breaks a headline as it asks, or else where lines of equal width fill the box best and no word dwarfs the others. */
async function breakLines(text: string, { w, h }: Box): Promise<string[]> {
  const given = text.split('\n').filter((line) => line.trim())
  if (given.length > 1) return given
  const words = text.split(/\s+/).filter(Boolean)
  if (!words.length) return []
  // Every way of breaking is tried, so a long headline first ties its shortest neighbours together.
  while (words.length > 10) {
    const lengths = words.slice(1).map((word, i) => word.length + (words[i]?.length ?? 0))
    const at = lengths.indexOf(Math.min(...lengths))
    words.splice(at, 2, `${words[at]} ${words[at + 1]}`)
  }
  let best = { score: 0, lengths: [words.length] }
  for (const lines of breakings(await Promise.all(words.map(capitals)))) {
    const scales = lines.map((line) => w / line.reduce((sum, word) => sum + word.right + wordSpace, -wordSpace))
    const talls = lines.map(
      (line, i) => (baseline - Math.min(capTop, ...line.map(({ top }) => top))) * (scales[i] ?? 1),
    )
    const tall = talls.reduce((sum, each) => sum + each + leading, 0)
    const contrast = Math.max(...scales) / Math.min(...scales)
    const score = tall * Math.min(1, h / tall) ** 2 * Math.min(1, 2.4 / contrast) ** 2
    if (score > best.score) best = { score, lengths: lines.map((line) => line.length) }
  }
  return best.lengths.map((length) => words.splice(0, length).join(' '))
}

/** Sets a headline as a block whose lines all have the width of the box, or as near as its height allows. */
async function stack(text: string, box: Box, paint: Paint): Promise<string> {
  const set = await Promise.all((await breakLines(text, box)).map(capitals))
  const lines = set.map((type) => {
    const scale = box.w / (type.right - type.left)
    const top = Math.min(type.top, capTop)
    return { type, scale, rise: (capTop - top) * scale, tall: (Math.max(type.bottom, baseline) - top) * scale }
  })
  const tall = lines.reduce((sum, line) => sum + line.tall + leading, -leading)
  const fit = Math.min(1, box.h / tall)
  const x = box.x + (paint.align === 'left' ? 0 : (box.w * (1 - fit)) / 2)
  let y = box.y + (box.h - tall * fit) / 2
  return lines
    .map((line) => {
      const svg = place(line.type, x, y + line.rise * fit, line.scale * fit, paint)
      y += (line.tall + leading) * fit
      return svg
    })
    .join('')
}

// ---- shapes

const r = (value: number, precision = 10) => Math.round(value * precision) / precision

/** Numbers that look random and never change (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const outlined = (fill: string, weight = 14) =>
  `fill="${fill}" stroke="${ink}" stroke-width="${weight}" stroke-linejoin="round" stroke-linecap="round"`

const points = (list: (readonly [number, number])[]) => list.map(([x, y]) => `${r(x)},${r(y)}`).join(' ')

const polar = (cx: number, cy: number, radius: number, angle: number) =>
  [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)] as const

const turned = (degrees: number, x: number, y: number, svg: string) =>
  `<g transform="rotate(${degrees} ${x} ${y})">${svg}</g>`

function star(cx: number, cy: number, spikes: number, outer: number, inner: number): string {
  return points(
    Array.from({ length: spikes * 2 }, (_, i) => polar(cx, cy, i % 2 ? inner : outer, (i * Math.PI) / spikes - 1.4)),
  )
}

function rays(cx: number, cy: number, count: number, fill: string): string {
  const step = (2 * Math.PI) / count
  return Array.from({ length: count }, (_, i) => {
    const wedge = [[cx, cy] as const, polar(cx, cy, 1900, (i - 0.25) * step), polar(cx, cy, 1900, (i + 0.25) * step)]
    return `<polygon points="${points(wedge)}" fill="${fill}"/>`
  }).join('')
}

/** Dots on a grid turned by 45 degrees; `size` gets a place in the box from 0 to 1 and answers 0 to 1. */
function dots(box: Box, step: number, fill: string, size: (u: number, v: number) => number): string {
  let d = ''
  for (let row = 0; row * step <= box.h * 2; row++) {
    for (let column = 0; column * step <= box.w; column++) {
      const x = column * step + (row % 2 ? step / 2 : 0)
      const y = (row * step) / 2
      const radius = r(size(x / box.w, y / box.h) * step * 0.5)
      if (y <= box.h && radius > 1)
        d += `M${r(box.x + x - radius)} ${r(box.y + y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`
    }
  }
  return `<path d="${d}" fill="${fill}"/>`
}

/** A strip of torn paper from `y` to the foot of the sheet, falling by `slope` to the right. */
function tornFoot(y: number, slope: number, fill: string, seed: number): string {
  const next = chance(seed)
  const edge = Array.from({ length: 61 }, (_, i) => {
    const x = i * 18
    return [x, y + slope * (x / width) + Math.sin(x / 97 + seed) * 7 + (next() - 0.5) * 14] as const
  })
  const lifted = edge.map(([x, y]) => [x + 4, y - 7 - next() * 11] as const)
  const close = [
    [width + 20, edge.at(-1)?.[1] ?? y],
    [width + 20, height],
    [-20, height],
    [-20, y],
  ] as const
  return `<polygon points="${points([...lifted.map(([x, y]) => [x, y - 9] as const), ...close])}" fill="${ink}" opacity=".28"/>
    <polygon points="${points([...lifted, ...close])}" fill="${fill === white ? paper : white}"/>
    <polygon points="${points([...edge, ...close])}" fill="${fill}"/>`
}

function logo(x: number, y: number, size: number, balloon: string, horn: string): string {
  return `<g transform="translate(${x} ${y}) scale(${size / 100})">
    <path d="M50 4C77 4 96 21 96 44S77 84 50 84c-5 0-10-.6-14-1.7L12 97l6-23C9 66 4 56 4 44 4 21 23 4 50 4Z" fill="${balloon}"/>
    <path d="M26 36h11L66 20v48L37 53H26ZM34 57h10l5 15H39ZM72 33q12 11 0 23Z" fill="${horn}" stroke="${horn}" stroke-width="4" stroke-linejoin="round"/>
  </g>`
}

// ---- parts that every poster has

interface Mark {
  type: string
  mark: string
  onMark: string
}

async function foot({ chamada }: Poster, paint: Mark, middle = 1258): Promise<string> {
  const small = { fontFamily: 'Figtree', fontSize: 42, lineHeight: 1.25, width: 640, whiteSpace: 'pre-wrap' }
  const call = await outline(chamada ?? '', small)
  // Three lines shrink into the place of two.
  const scale = Math.min(1, 100 / (call.bottom - call.top))
  const y = middle - ((call.top + call.bottom) / 2) * scale
  return [
    chamada
      ? `<path d="${call.d}" fill="${paint.type}" transform="translate(76 ${r(y)}) scale(${r(scale, 1000)})"/>`
      : '',
    logo(752, middle - 42, 84, paint.mark, paint.onMark),
    place(await capitals('Mobiliza'), 848, middle - 21, 0.48, { fill: paint.type }),
  ].join('')
}

async function sticker(text: string, left: number, y: number, degrees: number, ground: string, type: string) {
  const label = await capitals(text)
  const scale = 0.5
  const w = (label.right - label.left) * scale + 60
  const x = Math.min(left, width - 70 - w)
  const shape = (dx: number, fill: string) =>
    `<rect x="${r(x + dx)}" y="${y + dx}" width="${r(w)}" height="86" rx="10" ${outlined(fill, 9)}/>`
  return turned(
    degrees,
    x + w / 2,
    y + 43,
    shape(9, ink) + shape(0, ground) + place(label, x + 30, y + 22, scale, { fill: type }),
  )
}

/** The unprinted margin of the sheet, with the uneven edge of a hurried print. */
function margin(seed: number): string {
  const next = chance(seed)
  const jitter = () => 30 + next() * 5
  const top = Array.from({ length: 40 }, (_, i) => [30 + (i * 1020) / 39, jitter()] as const)
  const right = Array.from({ length: 50 }, (_, i) => [width - jitter(), 30 + (i * 1290) / 49] as const)
  const bottom = top.map(([x]) => [width - x, height - jitter()] as const)
  const left = right.map(([, y]) => [jitter(), height - y] as const)
  const inner = points([...top, ...right, ...bottom, ...left]).replaceAll(' ', 'L')
  return `<path d="M0 0H${width}V${height}H0ZM${inner}Z" fill="${paper}" fill-rule="evenodd"/>`
}

/** Flecks where the ink did not take; none near the small type, where they would read as points. */
function wear(seed: number, fill: string): string {
  const next = chance(seed)
  const flecks = Array.from({ length: 130 }, () => {
    const [x, y, size] = [next() * width, next() * 1150, 1.2 + next() ** 5 * 5]
    return `M${points([0, 1, 2, 3, 4, 5].map((i) => polar(x, y, size * (0.4 + next()), i + next())))}Z`
  })
  return `<path d="${flecks.join('')}" fill="${fill}" opacity=".8"/>`
}

// ---- things

function megaphone(fill: string): string {
  return `<path d="M150 60L190 250H270L240 40Z" ${outlined(paper, 16)}/>
    <rect x="-40" y="-74" width="130" height="148" rx="30" ${outlined(yellow, 16)}/>
    <path d="M80 -66L500 -215V215L80 66Z" ${outlined(fill, 16)}/>
    <path d="M90 60L490 202V110L90 30Z" fill="${deepRed}"/>
    <path d="M330 -147L400 -172V172L330 147Z" fill="${paper}"/>
    <ellipse cx="500" cy="0" rx="70" ry="226" ${outlined(paper, 16)}/>
    <ellipse cx="506" cy="0" rx="42" ry="160" fill="${ink}"/>
    <ellipse cx="500" cy="0" rx="20" ry="52" fill="${yellow}"/>
    ${[-26, 0, 26].map((degrees) => `<path d="M630 -11L770 -25V25L630 11Z" transform="rotate(${degrees} 300 0)" ${outlined(yellow, 10)}/>`).join('')}`
}

function dove(): string {
  const feather = (degrees: number, length: number, w: number, fill = white) =>
    `<path d="M0 0C${w} ${-length * 0.3} ${w} ${-length * 0.8} 0 ${-length}C${-w} ${-length * 0.8} ${-w} ${-length * 0.3} 0 0Z" transform="rotate(${degrees})" ${outlined(fill, 12)}/>`
  return `<g transform="translate(-180 90)">${[-122, -106, -90].map((a) => feather(a, 240, 60)).join('')}</g>
    <g transform="translate(60 20)">${[34, 14, -6].map((a, i) => feather(a, 250 + i * 30, 66, paper)).join('')}</g>
    <g transform="translate(20 40)">${[-72, -52, -32, -12].map((a, i) => feather(a, 290 + i * 30, 74)).join('')}</g>
    <path d="M285 12C320 40 330 80 326 120" fill="none" stroke="${ink}" stroke-width="12" stroke-linecap="round"/>
    <g transform="translate(312 52)">${feather(120, 74, 26, yellow)}${feather(-130, 74, 26, yellow)}</g>
    <g transform="translate(326 100)">${feather(140, 74, 26, yellow)}${feather(-150, 74, 26, yellow)}</g>
    <path d="M250 -40L316 4L252 20Z" ${outlined(yellow, 12)}/>
    <path d="M-220 110C-120 160 40 190 150 100C200 60 200 30 262 10C268 -60 220 -90 165 -70C90 -40 60 40 -40 50C-120 60 -180 90 -220 110Z" ${outlined(white, 12)}/>
    <circle cx="212" cy="-26" r="11" fill="${ink}"/>`
}

function fist(fill: string): string {
  const fingers = [22, 6, 10, 28].map(
    (y, i) => `<rect x="${10 + i * 50}" y="${y}" width="52" height="136" rx="24" ${outlined(fill, 12)}/>`,
  )
  return `<path d="M10 110V190C10 230 40 240 44 290V700H176V290C180 240 212 230 212 180V110Z" ${outlined(fill, 12)}/>
    ${fingers.join('')}
    <path d="M20 132C-22 140 -16 206 30 206H136C176 206 176 146 136 146H70C60 128 40 126 20 132Z" ${outlined(fill, 12)}/>`
}

/** A hillside at dusk: every house its water tank or its aerial, somebody at home in each. */
function houses(): string {
  const next = chance(21)
  return Array.from({ length: 8 }, (_, i) => {
    const x = 20 + i * 130
    const y = r(684 + 90 * Math.sin(i * 1.3 + 5.4) - next() * 50)
    const window = (dx: number) =>
      `<rect x="${x + dx}" y="${y + 36}" width="26" height="34" fill="${next() > 0.45 ? yellow : paper}"/>`
    const tank = `<path d="M${x + 30} ${y}v-14h8v-38h52v38h8v14Z" fill="${ink}"/>`
    const aerial = `<path d="M${x + 46} ${y}v-84m-26 10h52m-42 20h32" stroke="${ink}" stroke-width="7"/>`
    const roof = next() > 0.5 ? tank : aerial
    return `<rect x="${x}" y="${y}" width="136" height="400" fill="${ink}"/>${roof}${window(36)}${next() > 0.4 ? window(78) : ''}`
  }).join('')
}

function kite(): string {
  return `<path d="M0 70C-30 130 50 150 10 220S-30 300 -90 350" fill="none" stroke="${ink}" stroke-width="8"/>
    <path d="M0 -80L66 0L0 90L-66 0Z" ${outlined(paper, 12)}/><path d="M0 -80V90M-66 0H66" stroke="${ink}" stroke-width="7"/>
    <path d="M-34 128l52 -26l-6 52ZM44 196l-58 -2l34 44Z" ${outlined(yellow, 8)}/>`
}

// ---- compositions

type Composition = (poster: Poster, theme: Theme) => Promise<string[]>

const light = { type: ink, mark: red, onMark: paper }
const dark = { type: paper, mark: yellow, onMark: ink }

const compositions: Record<Poster['arte'], Composition> = {
  async arrow(poster, t) {
    const shape = 'M675 -40H995V690H1130L835 1172L540 690H675Z'
    return [
      dots({ x: 0, y: 460, w: width, h: 740 }, 30, t.shade, (_, v) => v * 1.15),
      tornFoot(1168, -26, paper, 3),
      `<path d="${shape}" transform="translate(-18 10)" ${outlined(ink, 18)}/><path d="${shape}" ${outlined(t.accent, 18)}/>`,
      place(await capitals('%'), 712, 110, 2.45, { fill: t.onAccent }),
      turned(
        -4,
        76,
        700,
        await stack(
          poster.titulo,
          { x: 66, y: 250, w: 640, h: 850 },
          { fill: t.type, shadow: t.cast, edge: t.cast, align: 'left' },
        ),
      ),
      await sticker(poster.categoria, 72, 96, -4, paper, ink),
      await foot(poster, light, 1268),
    ]
  },

  async awning(poster, t) {
    const flaps = (...fills: [string, string]) =>
      [0, 1, 2, 3, 4, 5, 6]
        .map((i) => `<path d="M${i * 156 - 6} -60h156V226a78 70 0 0 1 -156 0Z" ${outlined(fills[i % 2] ?? paper)}/>`)
        .join('')
    return [
      dots({ x: 0, y: 240, w: width, h: 960 }, 32, t.shade, (u) => 0.9 - u * 0.7),
      `<path d="M650 1240V500H950V1240Z" ${outlined(yellow, 16)}/>`,
      `<path d="M950 500L1066 440V1300L950 1220Z" ${outlined(deepRed, 16)}/><circle cx="984" cy="850" r="14" fill="${yellow}" stroke="${ink}" stroke-width="8"/>`,
      turned(
        -6,
        800,
        700,
        `<path d="M700 690L800 600L900 690" fill="none" stroke="${ink}" stroke-width="9"/><rect x="676" y="690" width="248" height="120" rx="12" ${outlined(paper, 12)}/>${place(await capitals('Aberto'), 705, 724, 0.7, { fill: red })}`,
      ),
      `<g opacity=".3" transform="translate(0 36)">${flaps(ink, ink)}</g>`,
      flaps(t.accent, paper),
      await stack(poster.titulo, { x: 76, y: 350, w: 510, h: 790 }, { fill: t.type, shadow: t.cast, align: 'left' }),
      await sticker(poster.categoria, 640, 380, 4, paper, ink),
      tornFoot(1172, 22, paper, 17),
      await foot(poster, { ...light, mark: green }),
    ]
  },

  async balloons(poster, t) {
    const [first, second] = halves(poster.titulo)
    const talk =
      'M560 520C850 520 1010 640 1010 830S850 1130 570 1130C520 1130 470 1126 426 1116L236 1172L300 1066C180 1012 110 930 110 830C110 640 270 520 560 520Z'
    return [
      dots({ x: 0, y: 0, w: width, h: 1200 }, 36, t.shade, (u, v) => 1 - (u + v) / 1.6),
      turned(
        5,
        540,
        310,
        `<polygon points="${star(540, 310, 19, 545, 420)}" transform="translate(0 112) scale(1 .62)" fill="${ink}"/>`,
      ),
      turned(-5, 540, 300, await stack(first, { x: 200, y: 100, w: 680, h: 390 }, { fill: paper })),
      `<path d="${talk}" transform="translate(14 14)" ${outlined(ink, 16)}/><path d="${talk}" ${outlined(paper, 16)}/>`,
      await stack(second, { x: 210, y: 612, w: 700, h: 430 }, { fill: ink }),
      await sticker(poster.categoria, 800, 1060, -5, t.accent, t.onAccent),
      await foot(poster, { type: t.type, mark: t.type, onMark: t.ground }, 1266),
    ]
  },

  async burst(poster, t) {
    const [offer, answer] = halves(poster.titulo)
    return [
      rays(540, 490, 28, t.shade),
      `<polygon points="${star(554, 504, 22, 520, 425)}" ${outlined(ink, 16)}/><polygon points="${star(540, 490, 22, 520, 425)}" ${outlined(t.accent, 16)}/>`,
      turned(-6, 540, 490, await stack(offer, { x: 210, y: 180, w: 660, h: 630 }, { fill: t.onAccent, shadow: ink })),
      tornFoot(910, -40, ink, 11),
      await stack(answer, { x: 76, y: 935, w: 928, h: 245 }, { fill: paper, align: 'left' }),
      await sticker(poster.categoria, 60, 70, -5, paper, ink),
      await foot(poster, dark),
    ]
  },

  async calendar(poster, t) {
    const days = await Promise.all(['Seg', 'Ter', 'Qua', 'Qui', 'Sex', 'Sáb'].map(capitals))
    const cells = days.map((day, i) => {
      const [x, y] = [112 + (i % 3) * 216, 214 + Math.floor(i / 3) * 216]
      return `<rect x="${x}" y="${y}" width="200" height="200" ${outlined(white, 9)}/>${place(day, x + 18, y + 20, 0.4, { fill: ink })}
        <path d="M${x + 50} ${y + 74}L${x + 160} ${y + 180}M${x + 166} ${y + 64}L${x + 42} ${y + 184}" fill="none" stroke="${red}" stroke-width="24" stroke-linecap="round"/>`
    })
    const sheet = [
      `<rect x="94" y="112" width="924" height="570" rx="14" ${outlined(ink)}/><rect x="80" y="98" width="924" height="570" rx="14" ${outlined(paper)}/>`,
      `<path d="M80 190V112a14 14 0 0 1 14-14H990a14 14 0 0 1 14 14V190Z" ${outlined(red)}/>`,
      ...[180, 420, 660, 900].map(
        (x) => `<rect x="${x}" y="58" width="30" height="84" rx="15" ${outlined(paper, 10)}/>`,
      ),
      ...cells,
      `<rect x="760" y="214" width="212" height="416" ${outlined(yellow, 9)}/><polygon points="${star(866, 450, 14, 96, 66)}" ${outlined(white, 9)}/>`,
      place(await capitals('Dom'), 780, 234, 0.6, { fill: ink }),
    ]
    return [
      dots({ x: 0, y: 0, w: width, h: 700 }, 34, t.shade, (_, v) => 0.95 - v),
      turned(-3, 540, 380, sheet.join('')),
      await stack(poster.titulo, { x: 76, y: 760, w: 928, h: 390 }, { fill: t.type }),
      await sticker(poster.categoria, 560, 640, 4, t.accent, t.onAccent),
      tornFoot(1180, 20, ink, 5),
      await foot(poster, dark),
    ]
  },

  async dove(poster, t) {
    const [first, second] = halves(poster.titulo)
    return [
      rays(540, 640, 24, t.shade),
      await stack(first, { x: 90, y: 90, w: 900, h: 160 }, { fill: t.type, align: 'left' }),
      await stack(second, { x: 90, y: 600, w: 900, h: 550 }, { fill: t.type, shadow: t.cast }),
      `<g transform="translate(545 562) scale(.94)">${dove()}</g>`,
      await sticker(poster.categoria, 860, 1068, -6, t.accent, t.onAccent),
      await foot(poster, { type: t.type, mark: t.type, onMark: t.ground }, 1236),
      margin(4),
    ]
  },

  async halftone(poster, t) {
    // On the ink theme the houses would vanish into the sky.
    const sky = t.ground === ink ? deepRed : t.ground
    return [
      `<rect width="${width}" height="900" fill="${sky}"/><circle cx="540" cy="500" r="380" fill="${t.accent}"/>`,
      dots({ x: 168, y: 300, w: 744, h: 576 }, 30, sky, (u, v) =>
        Math.hypot((u - 0.5) * 744, v * 576 - 200) < 374 ? v * 1.3 : 0,
      ),
      `<circle cx="540" cy="500" r="380" ${outlined('none', 16)}/>`,
      `<g transform="translate(890 250) rotate(18)">${kite()}</g>`,
      houses(),
      `<rect y="836" width="${width}" height="514" fill="${ink}"/>`,
      await stack(poster.titulo, { x: 90, y: 850, w: 900, h: 310 }, { fill: paper }),
      await sticker(poster.categoria, 76, 90, -5, paper, ink),
      await foot(poster, dark, 1236),
      margin(9),
    ]
  },

  async hands(poster, t) {
    const board = `<rect x="96" y="116" width="924" height="620" rx="12" ${outlined(ink, 16)}/><rect x="80" y="100" width="924" height="620" rx="12" ${outlined(paper, 16)}/>`
    const crowd = [
      [28, 950, -12, green],
      [834, 930, 12, green],
      [226, 856, -6, paper],
      [628, 846, 7, paper],
      [418, 896, 1, yellow],
    ] as const
    return [
      dots({ x: 0, y: 0, w: width, h: 1200 }, 36, t.shade, (u, v) => 0.2 + 0.8 * Math.abs(u - v)),
      turned(-3, 540, 400, board + (await stack(poster.titulo, { x: 136, y: 150, w: 812, h: 520 }, { fill: ink }))),
      ...crowd.map(
        ([x, y, degrees, fill]) =>
          `<g transform="translate(${x} ${y}) rotate(${degrees}) scale(1.1)">${fist(fill)}</g>`,
      ),
      await sticker(poster.categoria, 84, 716, 4, t.accent, t.onAccent),
      tornFoot(1170, 16, ink, 13),
      await foot(poster, dark),
    ]
  },

  async megaphone(poster, t) {
    return [
      rays(420, 860, 22, t.shade),
      await stack(poster.titulo, { x: 76, y: 64, w: 928, h: 500 }, { fill: t.type, shadow: t.accent }),
      `<g transform="translate(150 1044) rotate(-22) scale(.95)">${megaphone(t.accent)}</g>`,
      await sticker(poster.categoria, 670, 1040, 5, yellow, ink),
      tornFoot(1160, 30, paper, 8),
      await foot(poster, light),
    ]
  },

  async stripes(poster, t) {
    const lines = await breakLines(poster.titulo, { x: 0, y: 0, w: 920, h: 800 })
    const talls = (await Promise.all(lines.map(capitals))).map((line) => (920 / (line.right - line.left)) * 86)
    const fit = Math.min(1, (1050 - lines.length * 112) / talls.reduce((sum, tall) => sum + tall, 0))
    const inks = [
      [yellow, ink],
      [red, paper],
      [paper, ink],
    ] as const
    let y = 110
    const strips = lines.map(async (line, i) => {
      const [ground, type] = inks[i % 3] ?? inks[0]
      const tall = (talls[i] ?? 0) * fit + 112
      const [top, middle] = [y, y + tall / 2]
      y += tall
      const strip = (dy: number, fill: string) =>
        `<rect x="-60" y="${r(top + dy)}" width="1200" height="${r(tall)}" ${outlined(fill)}/>`
      const words = await stack(line, { x: 80, y: top + 56, w: 920, h: tall - 112 }, { fill: type })
      return turned([-3, 2, -2][i % 3] ?? 0, 540, middle, strip(14, ink) + strip(0, ground) + words)
    })
    return [
      ...Array.from(
        { length: 16 },
        (_, i) => `<path d="M${i * 150 - 900} 1350L${i * 150 + 500} -50h70L${i * 150 - 830} 1350Z" fill="${t.shade}"/>`,
      ),
      ...(await Promise.all(strips)),
      await sticker(poster.categoria, 64, 34, -3, paper, ink),
      await foot(poster, { type: t.type, mark: t.accent, onMark: t.onAccent }),
    ]
  },
}

export async function drawPoster(poster: Poster): Promise<Buffer> {
  const theme = themes[poster.tema]
  const art = await compositions[poster.arte](poster, theme)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${height}" fill="${theme.ground}"/>${art.join('')}${wear(7, paper)}</svg>`
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 48, dither: 0, effort: 4 }).toBuffer()
}

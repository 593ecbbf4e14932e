// Illustrations of the posters: a megaphone, a dove, a raised fist, houses on a hill, a kite.
import { deepRed, ink, paper, white, yellow } from '#server/adapters/share-card/colors.ts'
import { round } from '#server/adapters/share-card/geometry.ts'
import { seededRandom } from '#server/adapters/share-card/seeded-random.ts'
import { outlined } from '#server/adapters/share-card/shapes.ts'

export function megaphone(fill: string): string {
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

export function dove(): string {
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

export function fist(fill: string): string {
  const fingers = [22, 6, 10, 28].map(
    (y, i) => `<rect x="${10 + i * 50}" y="${y}" width="52" height="136" rx="24" ${outlined(fill, 12)}/>`,
  )
  return `<path d="M10 110V190C10 230 40 240 44 290V700H176V290C180 240 212 230 212 180V110Z" ${outlined(fill, 12)}/>
    ${fingers.join('')}
    <path d="M20 132C-22 140 -16 206 30 206H136C176 206 176 146 136 146H70C60 128 40 126 20 132Z" ${outlined(fill, 12)}/>`
}

/** Houses on a hill, each with a water tank or an aerial and lit windows. */
export function houses(): string {
  const next = seededRandom(21)
  return Array.from({ length: 8 }, (_, i) => {
    const x = 20 + i * 130
    const y = round(684 + 90 * Math.sin(i * 1.3 + 5.4) - next() * 50)
    const window = (dx: number) =>
      `<rect x="${x + dx}" y="${y + 36}" width="26" height="34" fill="${next() > 0.45 ? yellow : paper}"/>`
    const tank = `<path d="M${x + 30} ${y}v-14h8v-38h52v38h8v14Z" fill="${ink}"/>`
    const aerial = `<path d="M${x + 46} ${y}v-84m-26 10h52m-42 20h32" stroke="${ink}" stroke-width="7"/>`
    const roof = next() > 0.5 ? tank : aerial
    return `<rect x="${x}" y="${y}" width="136" height="400" fill="${ink}"/>${roof}${window(36)}${next() > 0.4 ? window(78) : ''}`
  }).join('')
}

export function kite(): string {
  return `<path d="M0 70C-30 130 50 150 10 220S-30 300 -90 350" fill="none" stroke="${ink}" stroke-width="8"/>
    <path d="M0 -80L66 0L0 90L-66 0Z" ${outlined(paper, 12)}/><path d="M0 -80V90M-66 0H66" stroke="${ink}" stroke-width="7"/>
    <path d="M-34 128l52 -26l-6 52ZM44 196l-58 -2l34 44Z" ${outlined(yellow, 8)}/>`
}

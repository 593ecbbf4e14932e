// Posters made of type: the headline on an arrow, in balloons, in a burst, on strips of paper.
import { ink, paper, red, yellow } from '#server/adapters/share-card/colors.ts'
import { round } from '#server/adapters/share-card/geometry.ts'
import { breakLines, halves, stack } from '#server/adapters/share-card/headline.ts'
import { dark, light } from '#server/adapters/share-card/labels.ts'
import { capitals, place } from '#server/adapters/share-card/lettering.ts'
import { tornFoot } from '#server/adapters/share-card/paper.ts'
import { outlined, rays, rotated } from '#server/adapters/share-card/shapes.ts'
import type { Compositions } from './composition.ts'
import { foot, sticker } from './poster-labels.ts'
import { dots, star } from './poster-shapes.ts'
import { posterSize, width } from './poster-size.ts'

export const typographic = {
  async arrow(poster, t) {
    const shape = 'M675 -40H995V690H1130L835 1172L540 690H675Z'
    return [
      dots({ x: 0, y: 460, w: width, h: 740 }, 30, t.shade, (_, v) => v * 1.15),
      tornFoot(1168, -26, paper, 3, posterSize),
      `<path d="${shape}" transform="translate(-18 10)" ${outlined(ink, 18)}/><path d="${shape}" ${outlined(t.accent, 18)}/>`,
      place(await capitals('%'), 712, 110, 2.45, { fill: t.onAccent }),
      rotated(
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

  async balloons(poster, t) {
    const [first, second] = halves(poster.titulo)
    const talk =
      'M560 520C850 520 1010 640 1010 830S850 1130 570 1130C520 1130 470 1126 426 1116L236 1172L300 1066C180 1012 110 930 110 830C110 640 270 520 560 520Z'
    return [
      dots({ x: 0, y: 0, w: width, h: 1200 }, 36, t.shade, (u, v) => 1 - (u + v) / 1.6),
      rotated(
        5,
        540,
        310,
        `<polygon points="${star(540, 310, 19, 545, 420)}" transform="translate(0 112) scale(1 .62)" fill="${ink}"/>`,
      ),
      rotated(-5, 540, 300, await stack(first, { x: 200, y: 100, w: 680, h: 390 }, { fill: paper })),
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
      rotated(-6, 540, 490, await stack(offer, { x: 210, y: 180, w: 660, h: 630 }, { fill: t.onAccent, shadow: ink })),
      tornFoot(910, -40, ink, 11, posterSize),
      await stack(answer, { x: 76, y: 935, w: 928, h: 245 }, { fill: paper, align: 'left' }),
      await sticker(poster.categoria, 60, 70, -5, paper, ink),
      await foot(poster, dark),
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
        `<rect x="-60" y="${round(top + dy)}" width="1200" height="${round(tall)}" ${outlined(fill)}/>`
      const words = await stack(line, { x: 80, y: top + 56, w: 920, h: tall - 112 }, { fill: type })
      return rotated([-3, 2, -2][i % 3] ?? 0, 540, middle, strip(14, ink) + strip(0, ground) + words)
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
} satisfies Compositions

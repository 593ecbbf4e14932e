// Posters that show something: a shop's awning, a calendar, a dove, a hillside, raised hands, a megaphone.
import { deepRed, green, ink, paper, red, white, yellow } from '#server/adapters/share-card/colors.ts'
import { halves, stack } from '#server/adapters/share-card/headline.ts'
import { dark, light } from '#server/adapters/share-card/labels.ts'
import { capitals, place } from '#server/adapters/share-card/lettering.ts'
import { tornFoot } from '#server/adapters/share-card/paper.ts'
import { outlined, rays, rotated } from '#server/adapters/share-card/shapes.ts'
import type { Compositions } from './composition.ts'
import { dove, fist, houses, kite, megaphone } from './illustrations.ts'
import { foot, sticker } from './poster-labels.ts'
import { dots, margin, star } from './poster-shapes.ts'
import { posterSize, width } from './poster-size.ts'

export const pictorial = {
  async awning(poster, t) {
    const flaps = (...fills: [string, string]) =>
      [0, 1, 2, 3, 4, 5, 6]
        .map((i) => `<path d="M${i * 156 - 6} -60h156V226a78 70 0 0 1 -156 0Z" ${outlined(fills[i % 2] ?? paper)}/>`)
        .join('')
    return [
      dots({ x: 0, y: 240, w: width, h: 960 }, 32, t.shade, (u) => 0.9 - u * 0.7),
      `<path d="M650 1240V500H950V1240Z" ${outlined(yellow, 16)}/>`,
      `<path d="M950 500L1066 440V1300L950 1220Z" ${outlined(deepRed, 16)}/><circle cx="984" cy="850" r="14" fill="${yellow}" stroke="${ink}" stroke-width="8"/>`,
      rotated(
        -6,
        800,
        700,
        `<path d="M700 690L800 600L900 690" fill="none" stroke="${ink}" stroke-width="9"/><rect x="676" y="690" width="248" height="120" rx="12" ${outlined(paper, 12)}/>${place(await capitals('Aberto'), 705, 724, 0.7, { fill: red })}`,
      ),
      `<g opacity=".3" transform="translate(0 36)">${flaps(ink, ink)}</g>`,
      flaps(t.accent, paper),
      await stack(poster.titulo, { x: 76, y: 350, w: 510, h: 790 }, { fill: t.type, shadow: t.cast, align: 'left' }),
      await sticker(poster.categoria, 640, 380, 4, paper, ink),
      tornFoot(1172, 22, paper, 17, posterSize),
      await foot(poster, { ...light, mark: green }),
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
      rotated(-3, 540, 380, sheet.join('')),
      await stack(poster.titulo, { x: 76, y: 760, w: 928, h: 390 }, { fill: t.type }),
      await sticker(poster.categoria, 560, 640, 4, t.accent, t.onAccent),
      tornFoot(1180, 20, ink, 5, posterSize),
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
      rotated(-3, 540, 400, board + (await stack(poster.titulo, { x: 136, y: 150, w: 812, h: 520 }, { fill: ink }))),
      ...crowd.map(
        ([x, y, degrees, fill]) =>
          `<g transform="translate(${x} ${y}) rotate(${degrees}) scale(1.1)">${fist(fill)}</g>`,
      ),
      await sticker(poster.categoria, 84, 716, 4, t.accent, t.onAccent),
      tornFoot(1170, 16, ink, 13, posterSize),
      await foot(poster, dark),
    ]
  },

  async megaphone(poster, t) {
    return [
      rays(420, 860, 22, t.shade),
      await stack(poster.titulo, { x: 76, y: 64, w: 928, h: 500 }, { fill: t.type, shadow: t.accent }),
      `<g transform="translate(150 1044) rotate(-22) scale(.95)">${megaphone(t.accent)}</g>`,
      await sticker(poster.categoria, 670, 1040, 5, yellow, ink),
      tornFoot(1160, 30, paper, 8, posterSize),
      await foot(poster, light),
    ]
  },
} satisfies Compositions

// The modules of a QR code, and the same code as an SVG file.
import { encode } from 'uqr'

export interface QrMatrix {
  /** Modules per side, with the border. */
  size: number
  /** Positions of the dark modules. */
  dark: { x: number; y: number }[]
}

/** With the border of four light modules that scanners need. Level M survives a folded or dirty poster. */
export function qrMatrix(address: string): QrMatrix {
  const { size, data } = encode(address, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [{ x, y }] : [])))
  return { size, dark }
}

/** Path data of all dark modules: one shape, so that no thin lines appear between them. */
export const qrPath = ({ dark }: QrMatrix) => dark.map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join('')

/** A file for print: any size, without fonts or links. */
export function qrSvg(matrix: QrMatrix): string {
  const box = `0 0 ${matrix.size} ${matrix.size}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="1024" height="1024" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${matrix.size}v${matrix.size}H0z"/><path d="${qrPath(matrix)}"/></svg>`
}

export interface Size {
  width: number
  height: number
}

export interface Box {
  x: number
  y: number
  w: number
  h: number
}

export const round = (value: number, precision = 10) => Math.round(value * precision) / precision

export const points = (list: (readonly [number, number])[]) => list.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')

export const polar = (cx: number, cy: number, radius: number, angle: number) =>
  [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)] as const

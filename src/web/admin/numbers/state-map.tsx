// Map of the states: more is darker, so it is readable without colours. The table next to it has the exact values.
import map from '@svg-maps/brazil'
import { useEffect, useRef, useState } from 'react'
import { type StateCode, states } from '#contract/states.ts'
import { legendRanges, rateResolution, shadeOf } from '#web/admin/numbers/map-scale.ts'
import { formatNumber, formatRate } from '#web/admin/ui/format-number.ts'
import './state-map.css'

interface StateMapProps {
  values: Map<StateCode, number>
  /** "assinaturas", "por 100 mil habitantes". */
  unit: string
  isWhole: boolean
}

interface SvgMap {
  viewBox: string
  locations: { id: string; path: string }[]
}

// The package's types describe another module format: bundlers import the map itself.
const brazil = map as unknown as SvgMap

interface StateLabel {
  code: StateCode
  x: number
  y: number
}

export function StateMap({ values, unit, isWhole }: StateMapProps) {
  const svg = useRef<SVGSVGElement>(null)
  const [labels, setLabels] = useState<StateLabel[]>([])
  const max = Math.max(...values.values())
  const format = isWhole ? formatNumber : formatRate
  const steps = legendRanges(max, isWhole ? 1 : rateResolution(max))

  // State codes only where they fit; the size of a state is read from the rendered map.
  useEffect(() => {
    const shapes = svg.current?.querySelectorAll<SVGPathElement>('path[data-state]') ?? []
    setLabels(
      Array.from(shapes, (shape) => ({ code: shape.dataset.state as StateCode, box: shape.getBBox() }))
        .filter(({ box }) => box.width > 44 && box.height > 36)
        .map(({ code, box }) => ({ code, x: box.x + box.width / 2, y: box.y + box.height / 2 })),
    )
  }, [])

  return (
    <figure className="map">
      <svg ref={svg} viewBox={brazil.viewBox} role="img" aria-label={`Mapa do Brasil por estado: ${unit}`}>
        {brazil.locations.map(({ id, path }) => {
          const code = id.toUpperCase() as StateCode
          const value = values.get(code) ?? 0
          return (
            <path key={id} d={path} data-state={code} data-step={shadeOf(value, steps)}>
              <title>{`${states[code]}: ${format(value)} ${unit}`}</title>
            </path>
          )
        })}
        {labels.map(({ code, x, y }) => (
          <text key={code} x={x} y={y} data-step={shadeOf(values.get(code) ?? 0, steps)}>
            {code}
          </text>
        ))}
      </svg>
      {max > 0 && (
        <ul className="map-legend" aria-hidden="true">
          {steps.map(({ end, shade }) => (
            <li key={shade}>
              <span data-step={shade} /> até {format(end)}
            </li>
          ))}
        </ul>
      )}
      <figcaption>
        Mapa:{' '}
        <a href="https://github.com/VictorCazanave/svg-maps" target="_blank" rel="noreferrer">
          @svg-maps/brazil
        </a>
        , Victor Cazanave,{' '}
        <a href="https://creativecommons.org/licenses/by/4.0/deed.pt-br" target="_blank" rel="noreferrer">
          CC BY 4.0
        </a>
      </figcaption>
    </figure>
  )
}

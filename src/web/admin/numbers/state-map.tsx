// The states on a map: the more, the darker, so that it can be read without colours; the table beside it says it exactly.
import map from '@svg-maps/brazil'
import { useEffect, useRef, useState } from 'react'
import { type StateCode, states } from '#contract/states.ts'
import { partsOfOne, shadeOf, stepsUpTo } from '#web/admin/numbers/map-scale.ts'
import { inRate, inWords } from '#web/admin/ui/amounts.ts'
import './state-map.css'

interface StateMapProps {
  values: Map<StateCode, number>
  /** "assinaturas", "por 100 mil habitantes". */
  unit: string
  isWhole: boolean
}

interface Drawing {
  viewBox: string
  locations: { id: string; path: string }[]
}

// The package's types take it for an older kind of module than it is: what a bundler sees is the drawing itself.
const brazil = map as unknown as Drawing

interface Spot {
  code: StateCode
  x: number
  y: number
}

export function StateMap({ values, unit, isWhole }: StateMapProps) {
  const drawing = useRef<SVGSVGElement>(null)
  const [spots, setSpots] = useState<Spot[]>([])
  const most = Math.max(...values.values())
  const told = isWhole ? inWords : inRate
  const steps = stepsUpTo(most, isWhole ? 1 : partsOfOne(most))

  // Letters where there is room for them: the drawing itself tells how large a state is.
  useEffect(() => {
    const shapes = drawing.current?.querySelectorAll<SVGPathElement>('path[data-state]') ?? []
    setSpots(
      Array.from(shapes, (shape) => ({ code: shape.dataset.state as StateCode, box: shape.getBBox() }))
        .filter(({ box }) => box.width > 44 && box.height > 36)
        .map(({ code, box }) => ({ code, x: box.x + box.width / 2, y: box.y + box.height / 2 })),
    )
  }, [])

  return (
    <figure className="map">
      <svg ref={drawing} viewBox={brazil.viewBox} role="img" aria-label={`Mapa do Brasil por estado: ${unit}`}>
        {brazil.locations.map(({ id, path }) => {
          const code = id.toUpperCase() as StateCode
          const value = values.get(code) ?? 0
          return (
            <path key={id} d={path} data-state={code} data-step={shadeOf(value, steps)}>
              <title>{`${states[code]}: ${told(value)} ${unit}`}</title>
            </path>
          )
        })}
        {spots.map(({ code, x, y }) => (
          <text key={code} x={x} y={y} data-step={shadeOf(values.get(code) ?? 0, steps)}>
            {code}
          </text>
        ))}
      </svg>
      {most > 0 && (
        <ul className="map-legend" aria-hidden="true">
          {steps.map(({ end, shade }) => (
            <li key={shade}>
              <span data-step={shade} /> até {told(end)}
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

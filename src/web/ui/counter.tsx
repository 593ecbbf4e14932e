import { useRef } from 'react'
import './counter.css'

/** Exported for other numbers beside the counter, so that a page creates only one formatter. */
export const numberFormat = new Intl.NumberFormat('pt-BR')
const milestone = 1_000

/** Displays the current number at all times, also while it is animated. */
export function Counter({ value }: { value: number }) {
  const thousands = Math.floor(value / milestone)
  const initialThousands = useRef(thousands)
  const initialValue = useRef(value)
  const motion = value === initialValue.current ? '' : ' counter-changed'
  return (
    <p className="counter">
      {/* A new key replaces the element, which restarts the animation. None on load, when the phone is busy. */}
      <span key={value} className={value ? `counter-digits${motion}` : 'hidden'} aria-hidden="true">
        {numberFormat.format(value)}
      </span>
      {value ? (
        <>
          <span className="hidden">{numberFormat.format(value)}</span>{' '}
          <span className="counter-label">{value === 1 ? 'pessoa já assinou' : 'pessoas já assinaram'}</span>
        </>
      ) : (
        <span className="counter-first">Seja a primeira pessoa a assinar</span>
      )}
      {/* Announcing every signature would disturb screen reader users: only a new thousand is announced. */}
      <span className="hidden" role="status">
        {thousands > initialThousands.current &&
          `Passamos de ${numberFormat.format(thousands * milestone)} assinaturas`}
      </span>
    </p>
  )
}

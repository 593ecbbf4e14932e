// The number of signatures, as the hero of a page. It never shows another number than the current one, not even in motion.
import { useRef } from 'react'
import './counter.css'

/** Also for other numbers beside the counter, so that a page creates one formatter. */
export const numbers = new Intl.NumberFormat('pt-BR')
const milestone = 1_000

export function Counter({ value }: { value: number }) {
  const reached = Math.floor(value / milestone)
  const firstReached = useRef(reached)
  const first = useRef(value)
  const motion = value === first.current ? '' : ' counter-changed'
  return (
    <p className="counter">
      {/* The key replaces the element when the number changes, so that its animation runs again. Not on load, when a phone is busy. */}
      <span key={value} className={value ? `counter-digits${motion}` : 'hidden'} aria-hidden="true">
        {numbers.format(value)}
      </span>
      {value ? (
        <>
          <span className="hidden">{numbers.format(value)}</span>{' '}
          <span className="counter-label">{value === 1 ? 'pessoa já assinou' : 'pessoas já assinaram'}</span>
        </>
      ) : (
        <span className="counter-first">Seja a primeira pessoa a assinar</span>
      )}
      {/* Hearing every signature would be noise: only a new thousand is announced. */}
      <span className="hidden" role="status">
        {reached > firstReached.current && `Passamos de ${numbers.format(reached * milestone)} assinaturas`}
      </span>
    </p>
  )
}

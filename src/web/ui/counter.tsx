// The number of signatures, as the hero of a page: counts up when it appears and when it grows, unless motion is unwelcome.
import { useEffect, useRef } from 'react'
import './counter.css'

const numbers = new Intl.NumberFormat('pt-BR')
const runUpMs = 1_200
const runUp = 120
const milestone = 1_000

export function Counter({ value }: { value: number }) {
  const digits = useRef<HTMLSpanElement>(null)
  const shown = useRef(Math.max(0, value - runUp))
  const reached = Math.floor(value / milestone)
  const firstReached = useRef(reached)

  useEffect(() => {
    const from = shown.current
    const element = digits.current
    if (!element || from === value || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      shown.current = value
      return
    }
    const startedAt = performance.now()
    let frame = requestAnimationFrame(function draw(now) {
      const part = Math.min(1, Math.max(0, (now - startedAt) / runUpMs))
      shown.current = Math.round(from + (value - from) * (1 - (1 - part) ** 3))
      element.textContent = numbers.format(shown.current)
      if (part < 1) frame = requestAnimationFrame(draw)
    })
    return () => {
      cancelAnimationFrame(frame)
      element.textContent = numbers.format(value)
    }
  }, [value])

  return (
    <p className="counter">
      <span className={value ? 'counter-digits' : 'hidden'} aria-hidden="true" ref={digits} suppressHydrationWarning>
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

// Counter of a petition: the number of signatures, those of today, and the progress towards the goal.
import { useEffect, useRef, useState } from 'react'
import { goalAbove } from '#contract/goals.ts'
import { formatNumber } from '#web/ui/format-number.ts'
import './progress.css'
import './counter.css'

const milestone = 1_000

interface Goal {
  /** Identifies the goals that this browser has celebrated. */
  slug: string
  /** The goal of the campaign. Null: the next round number. */
  meta: number | null
  today: number
}

interface CounterProps {
  value: number
  /** The number is of confirmed signatures: somebody who has just signed is not in it. */
  isConfirmedOnly?: boolean
  goal?: Goal | undefined
}

/** Displays the current number at all times, also while it is animated. */
export function Counter({ value, isConfirmedOnly = false, goal }: CounterProps) {
  const box = useRef<HTMLParagraphElement>(null)
  const reached = useReachedGoal(value, goal, box)
  const thousands = Math.floor(value / milestone)
  const initialThousands = useRef(thousands)
  const initialValue = useRef(value)
  const motion = value === initialValue.current ? '' : ' counter-changed'
  // Nobody can be the first to sign a campaign that is over.
  const isCounted = value > 0 || !goal
  const shownGoal = goal && goalAbove(value, goal.meta)
  return (
    <p className="counter" ref={box}>
      {/* A new key replaces the element, which restarts the animation. None on load, when the phone is busy. */}
      <span key={value} className={isCounted ? `counter-digits${motion}` : 'hidden'} aria-hidden="true">
        {formatNumber(value)}
      </span>
      {isCounted ? (
        <>
          <span className="hidden">{formatNumber(value)}</span>{' '}
          <span className="counter-label">{labelOf(value, isConfirmedOnly)}</span>
        </>
      ) : (
        <span className="counter-first">{`Seja a primeira pessoa a ${isConfirmedOnly ? 'confirmar' : 'assinar'}`}</span>
      )}
      {shownGoal && (
        <>
          <progress className="progress" max={shownGoal} value={value} aria-label="Meta" />
          {reached && <b className="goal-reached">Chegamos a {formatNumber(reached)}!</b>}{' '}
          <span className="goal-text">
            {`Meta: ${formatNumber(shownGoal)}${goal.today > 0 ? ` · ${formatNumber(goal.today)} hoje` : ''}`}
          </span>
        </>
      )}
      {/* Announcing every signature would disturb screen reader users: only a goal and a new thousand are announced. */}
      <span className="hidden" role="status">
        {reached
          ? `Chegamos a ${formatNumber(reached)} assinaturas!`
          : thousands > initialThousands.current && `Passamos de ${formatNumber(thousands * milestone)} assinaturas`}
      </span>
    </p>
  )
}

function labelOf(value: number, isConfirmedOnly: boolean): string {
  if (isConfirmedOnly) return value === 1 ? 'assinatura confirmada' : 'assinaturas confirmadas'
  return value === 1 ? 'pessoa já assinou' : 'pessoas já assinaram'
}

/** The goal that was reached while the page was open. Each goal is celebrated once. */
function useReachedGoal(value: number, goal: Goal | undefined, box: { current: Element | null }): number | undefined {
  const [reached, setReached] = useState<number>()
  const highest = useRef(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each new value
  useEffect(() => {
    const passed = goal && goalAbove(highest.current, goal.meta)
    highest.current = Math.max(highest.current, value)
    if (passed && value >= passed)
      void import('#web/ui/celebration.ts').then(
        ({ celebrate }) => celebrate(goal.slug, passed, box.current) && setReached(passed),
        () => {},
      )
  }, [value])
  return reached
}

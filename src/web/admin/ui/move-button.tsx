interface MoveButtonProps {
  id: number
  /** Name of the moved item, for screen readers. */
  name: string
  step: -1 | 1
  canMove: boolean
  onMove(step: -1 | 1): void
}

/** Never disabled: a user who presses it repeatedly must not lose the focus at the end of the list. */
export function MoveButton({ id, name, step, canMove, onMove }: MoveButtonProps) {
  const label = step < 0 ? 'Mover para cima' : 'Mover para baixo'
  return (
    <button
      type="button"
      id={`mover-${id}-${step}`}
      className="button small"
      aria-disabled={!canMove || undefined}
      aria-label={`${label}: ${name}`}
      title={label}
      onClick={() => canMove && onMove(step)}
    >
      {step < 0 ? '↑' : '↓'}
    </button>
  )
}

// How far a sending has come, and the way to call it off.
interface ProgressProps {
  /** From 0 to 1. */
  part: number
  onCancel(): void
}

export function Progress({ part, onCancel }: ProgressProps) {
  const percent = Math.floor(part * 100)
  // What has left the phone is still to be made fit for the site.
  const words = percent < 100 ? 'Enviando a imagem...' : 'Preparando a imagem...'
  return (
    <div className="sending">
      <p role="status">{words}</p>
      <progress max={100} value={percent} aria-label="Envio da imagem" />
      <p aria-hidden="true">{percent}%</p>
      <button type="button" className="button small" onClick={onCancel}>
        Cancelar envio
      </button>
    </div>
  )
}

interface ProgressProps {
  /** From 0 to 1. */
  fraction: number
  onCancel(): void
}

export function Progress({ fraction, onCancel }: ProgressProps) {
  const percent = Math.floor(fraction * 100)
  // After the upload the server still processes the image.
  const label = percent < 100 ? 'Enviando a imagem...' : 'Preparando a imagem...'
  return (
    <div className="sending">
      <p role="status">{label}</p>
      <progress max={100} value={percent} aria-label="Envio da imagem" />
      <p aria-hidden="true">{percent}%</p>
      <button type="button" className="button small" onClick={onCancel}>
        Cancelar envio
      </button>
    </div>
  )
}

// QR code of an address, with download as SVG for print and as PNG for messages.
import { useState } from 'react'
import { download } from '#web/admin/ui/download.ts'
import { type QrMatrix, qrMatrix, qrPath, qrSvg } from '#web/admin/ui/qr-matrix.ts'
import './qr-code.css'

interface QrCodeProps {
  address: string
  /** File name without extension. */
  file: string
}

export function QrCode({ address, file }: QrCodeProps) {
  const [failed, setFailed] = useState(false)
  const matrix = qrMatrix(address)

  async function savePng(): Promise<void> {
    const png = await drawPng(matrix)
    setFailed(!png)
    if (png) download(`${file}.png`, png)
  }

  return (
    <figure className="qr-code">
      <svg viewBox={`0 0 ${matrix.size} ${matrix.size}`} role="img" aria-label={`Código QR de ${address}`}>
        <path d={qrPath(matrix)} />
      </svg>
      <figcaption>
        <button
          type="button"
          className="button small"
          onClick={() => download(`${file}.svg`, new Blob([qrSvg(matrix)], { type: 'image/svg+xml' }))}
        >
          Baixar SVG (para imprimir)
        </button>
        <button type="button" className="button small" onClick={() => void savePng()}>
          Baixar PNG (para enviar)
        </button>
      </figcaption>
      <p role="alert" className="error">
        {failed && 'Este navegador não conseguiu criar o PNG. Baixe o SVG.'}
      </p>
    </figure>
  )
}

const minPngPixels = 1024

/** Whole pixels per module, so that the edges stay sharp. */
function drawPng({ size, dark }: QrMatrix): Promise<Blob | null> {
  const scale = Math.ceil(minPngPixels / size)
  const canvas = document.createElement('canvas')
  canvas.width = size * scale
  canvas.height = size * scale
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  for (const { x, y } of dark) context.fillRect(x * scale, y * scale, scale, scale)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

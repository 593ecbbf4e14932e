import jsQR from 'jsqr'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { qrMatrix, qrSvg } from '#web/admin/ui/qr-matrix.ts'

// The package's types describe another module format.
const decode = jsQR as unknown as typeof jsQR.default

test.each([
  'https://example.org/p/fim-escala-6x1?de=radio-comunitaria',
  `https://exemplo.example.org/p/${'campanha-longa-'.repeat(6)}x?de=${'o'.repeat(60)}`,
])('a scanner reads %s from the SVG file', async (address) => {
  const svg = Buffer.from(qrSvg(qrMatrix(address)))

  const { data, info } = await sharp(svg).ensureAlpha().raw().toBuffer({ resolveWithObject: true })

  expect(decode(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(address)
})

test('a QR code keeps the border that scanners need', () => {
  const { size, dark } = qrMatrix('https://example.org')

  for (const { x, y } of dark) for (const position of [x, y]) expect(position >= 4 && position < size - 4).toBe(true)
})

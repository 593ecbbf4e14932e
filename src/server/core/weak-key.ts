// Recognizes encryption keys that a person made up instead of a random generator.

/** A random key has about 30 different bytes. One in 10¹³ has fewer than this. */
const minDifferentBytes = 16
/** A sequence, also one that starts again, has few different steps between neighbouring bytes. */
const minDifferentSteps = 8

/** Why `key`, 32 bytes in base64, is weak. Undefined: nothing shows that it is not random. */
export function weaknessOf(key: string): string | undefined {
  const bytes = Buffer.from(key, 'base64')
  const all = [...bytes]
  if (new Set(all).size === 1) return 'todos os bytes são iguais'
  if (new Set(all.map((byte, index) => (byte - (all[index - 1] ?? byte) + 256) % 256)).size < minDifferentSteps)
    return 'é uma sequência'
  if (new Set(all).size < minDifferentBytes || repeatsItself(bytes)) return 'repete os mesmos bytes'
  const letters = key.replace(/[^a-z]/gi, '')
  if (isText(bytes) || letters === letters.toLowerCase() || letters === letters.toUpperCase())
    return 'é um texto, não bytes aleatórios'
  return undefined
}

function repeatsItself(bytes: Buffer): boolean {
  const periods = Array.from({ length: bytes.length / 2 }, (_, index) => index + 1)
  return periods.some((period) => bytes.subarray(period).equals(bytes.subarray(0, -period)))
}

/** Random bytes are almost never valid UTF-8. */
function isText(bytes: Buffer): boolean {
  const text = bytes.toString()
  return !/[\p{Cc}\uFFFD]/u.test(text.trim())
}

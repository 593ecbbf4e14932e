// Encryption of files in chunks: nothing but the whole original stream is ever accepted.
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  DecryptionFailed,
  decryptStream,
  encryptedStreamHeadBytes,
  encryptStream,
  isEncryptedStream,
} from '#server/core/stream-encryption.ts'

const secret = () => randomBytes(32).toString('base64')
const chunk = 2 ** 16
const stored = chunk + 16

async function* pieces(bytes: Buffer, size = 100_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const bytes of source) all.push(bytes)
  return Buffer.concat(all)
}
const encrypt = (bytes: Buffer, key: string) => collect(encryptStream(pieces(bytes), key))
const decrypt = (file: Buffer, key: string) =>
  collect(
    decryptStream(
      file.subarray(0, encryptedStreamHeadBytes),
      pieces(file.subarray(encryptedStreamHeadBytes), 7_001),
      key,
    ),
  )
const failsWith = (promise: Promise<unknown>, reason: 'key' | 'damaged') =>
  expect(promise).rejects.toThrow(new DecryptionFailed(reason))

test.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 200_003])('%i bytes are decrypted to the same', async (n) => {
  const [bytes, key] = [randomBytes(n), secret()]
  const file = await encrypt(bytes, key)

  expect(isEncryptedStream(file)).toBe(true)
  expect(await decrypt(file, key)).toEqual(bytes)
  expect(await encrypt(bytes, key)).not.toEqual(file)
})

describe('of three chunks', async () => {
  const key = secret()
  const bytes = randomBytes(2 * chunk + 500)
  const file = await encrypt(bytes, key)
  const head = file.subarray(0, encryptedStreamHeadBytes)
  const [first, second, third] = [0, 1, 2].map((n) => {
    const start = encryptedStreamHeadBytes + n * stored
    return file.subarray(start, start + stored)
  }) as [Buffer, Buffer, Buffer]

  test('another key is named as such', () => failsWith(decrypt(file, secret()), 'key'))

  test('a changed bit in any part is refused', async () => {
    for (const at of [20, 30, encryptedStreamHeadBytes, encryptedStreamHeadBytes + stored - 1, file.length - 1]) {
      const changed = Buffer.from(file)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      await expect(decrypt(changed, key)).rejects.toThrow(DecryptionFailed)
    }
  })

  test('a file that was cut, also between chunks, is refused', async () => {
    for (const parts of [[], [first], [first, second], [first, second, third.subarray(0, -1)]])
      await failsWith(decrypt(Buffer.concat([head, ...parts]), key), 'damaged')
  })

  test('chunks in another order, twice, missing or of another file are refused', async () => {
    const other = await encrypt(bytes, key)
    const otherSecond = other.subarray(encryptedStreamHeadBytes + stored, encryptedStreamHeadBytes + 2 * stored)
    const wrong = [
      [second, first, third],
      [first, first, second, third],
      [first, third],
      [first, otherSecond, third],
      [first, second, third, third],
    ]
    for (const parts of wrong) await failsWith(decrypt(Buffer.concat([head, ...parts]), key), 'damaged')
  })

  test('what was authenticated before a damage is all that is returned', async () => {
    const changed = Buffer.concat([head, first, Buffer.alloc(stored), third])
    const seen: Buffer[] = []
    await expect(
      (async () => {
        const rest = pieces(changed.subarray(encryptedStreamHeadBytes))
        for await (const text of decryptStream(head, rest, key)) seen.push(text)
      })(),
    ).rejects.toThrow(DecryptionFailed)
    expect(Buffer.concat(seen)).toEqual(bytes.subarray(0, chunk))
  })
})

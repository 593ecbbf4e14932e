// Encrypts files of any size in chunks. Each chunk is authenticated with its position, and the last one as the last:
// chunks cannot be changed, exchanged, added or cut off.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const magic = Buffer.from('mobiliza cifrado 1\n')
const idBytes = 4
const saltBytes = 16
const headBytes = magic.length + idBytes + saltBytes
const chunkBytes = 2 ** 16
const tagBytes = 16
const ivBytes = 12

/** The stream is not whole, was changed, or its key is another one. */
export class DecryptionFailed extends Error {
  readonly reason: 'key' | 'damaged'
  constructor(reason: 'key' | 'damaged') {
    super(`stream not decrypted: ${reason}`)
    this.reason = reason
  }
}

const derive = (secret: string, salt: Buffer, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64'), salt, `mobiliza ${purpose}`, bytes))
const keyId = (secret: string) => derive(secret, Buffer.of(), 'file key id', idBytes)

/** No key is used twice: each file has its own, from its salt. So a counter is a safe initialization vector. */
function openHead(secret: string, head: Buffer) {
  const key = derive(secret, head.subarray(-saltBytes), 'file', 32)
  function ivOf(position: number, isLast: boolean): Buffer {
    const iv = Buffer.alloc(ivBytes)
    iv.writeUInt32BE(position, ivBytes - 5)
    iv.writeUInt8(isLast ? 1 : 0, ivBytes - 1)
    return iv
  }
  return { key, ivOf }
}

export const isEncryptedStream = (start: Uint8Array): boolean => magic.equals(start.subarray(0, magic.length))
export const encryptedStreamHeadBytes = headBytes

/** `secret` is 32 bytes in base64. */
export async function* encryptStream(source: AsyncIterable<Buffer>, secret: string): AsyncGenerator<Buffer> {
  const head = Buffer.concat([magic, keyId(secret), randomBytes(saltBytes)])
  const { key, ivOf } = openHead(secret, head)
  yield head
  for await (const { bytes, position, isLast } of inChunks(source, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, ivOf(position, isLast), { authTagLength: tagBytes })
    cipher.setAAD(head)
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** `head` is the start of the stream, and `source` what follows it. Yields only authenticated bytes. */
export async function* decryptStream(
  head: Buffer,
  source: AsyncIterable<Buffer>,
  secret: string,
): AsyncGenerator<Buffer> {
  if (head.length < headBytes) throw new DecryptionFailed('damaged')
  if (!head.subarray(magic.length, magic.length + idBytes).equals(keyId(secret))) throw new DecryptionFailed('key')
  const { key, ivOf } = openHead(secret, head)
  for await (const { bytes, position, isLast } of inChunks(source, chunkBytes + tagBytes)) {
    if (bytes.length < tagBytes) throw new DecryptionFailed('damaged')
    const decipher = createDecipheriv('aes-256-gcm', key, ivOf(position, isLast), { authTagLength: tagBytes })
    decipher.setAAD(head).setAuthTag(bytes.subarray(-tagBytes))
    const text = decipher.update(bytes.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch {
      throw new DecryptionFailed('damaged')
    }
    yield text
  }
}

/** Pieces of `size` bytes. The last one, which may be shorter or empty, is marked. */
async function* inChunks(source: AsyncIterable<Buffer>, size: number) {
  let pending: Buffer = Buffer.alloc(0)
  let position = 0
  for await (const bytes of source) {
    pending = pending.length > 0 ? Buffer.concat([pending, bytes]) : bytes
    // More than `size`, because a chunk of the whole rest would be the last one.
    while (pending.length > size) {
      yield { bytes: pending.subarray(0, size), position, isLast: false }
      pending = pending.subarray(size)
      position += 1
    }
  }
  yield { bytes: pending, position, isLast: true }
}

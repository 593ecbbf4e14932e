// A WebAuthn authenticator in software: creates ES256 passkeys and signs with them, as a browser would answer.
import { createSign, generateKeyPairSync, hash, randomBytes } from 'node:crypto'
import type { PasskeyAssertion, PasskeyRegistration } from '#contract/admin/passkeys.ts'

interface Answer {
  challenge: string
  origin?: string
  rpId?: string
  /** Of `clientDataJSON`. */
  type?: string
  counter?: number
  /** User present 1, user verified 4. */
  flags?: number
}

export interface SoftwarePasskey {
  id: string
  register(answer: Answer): PasskeyRegistration
  sign(answer: Answer): PasskeyAssertion
}

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Buffer | string) => hash('sha256', bytes, 'buffer')

/** CBOR of the few types that attestation uses. Keys of maps keep their order. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const parts = [...value].flatMap(([key, item]) => [cbor(key), cbor(item as Buffer)])
  return Buffer.concat([head(5, value.size), ...parts])
}

function head(major: number, length: number): Buffer {
  const type = major << 5
  if (length < 24) return Buffer.from([type | length])
  if (length < 256) return Buffer.from([type | 24, length])
  return Buffer.from([type | 25, length >> 8, length & 255])
}

export function createPasskey({ origin, rpId = new URL(origin).hostname }: { origin: string; rpId?: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const id = base64url(credentialId)
  let signatures = 0

  const clientData = (type: string, answer: Answer) =>
    JSON.stringify({
      type: answer.type ?? type,
      ...{ challenge: answer.challenge, origin: answer.origin ?? origin, crossOrigin: false },
    })

  function authenticatorData({ rpId: other = rpId, flags = 5 }: Answer, counter: number, credential?: Buffer): Buffer {
    const tail = Buffer.alloc(5)
    tail.writeUInt8(credential ? flags | 0x40 : flags)
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(other), tail, ...(credential ? [credential] : [])])
  }

  const passkey: SoftwarePasskey = {
    id,
    register(answer) {
      const key = new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const credential = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        cbor(key),
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(answer, answer.counter ?? signatures, credential)],
      ])
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', answer)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal', 'not-known-yet'],
      }
      return { id, rawId: id, type: 'public-key', response }
    },
    sign(answer) {
      const data = authenticatorData(answer, answer.counter ?? ++signatures)
      const client = clientData('webauthn.get', answer)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      }
      return { id, rawId: id, type: 'public-key', response }
    },
  }
  return passkey
}

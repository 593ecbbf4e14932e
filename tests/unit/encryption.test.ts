// Encryption of personal data, its blind index, and CPF check digits.
import { createHmac, randomBytes } from 'node:crypto'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDigitsAreRight, digitsOf } from '#contract/cpf.ts'
import { createEncryption, encryptionOf } from '#server/core/encryption.ts'
import { seed } from '#tests/helpers/random.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'

const secret = () => randomBytes(32).toString('base64')

describe('an encrypted text', () => {
  const encryption = createEncryption(secret())

  test('is decrypted to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (text, owner) => {
        expect(encryption.decrypt(encryption.encrypt(text, owner), owner)).toBe(text)
      }),
      { seed },
    )
  })

  test('is different each time and never contains the text', () => {
    const all = Array.from({ length: 50 }, () => encryption.encrypt('000.000.001-91', 'a'))

    expect(new Set(all.map((bytes) => bytes.toString('hex'))).size).toBe(50)
    expect(all.filter((bytes) => bytes.includes('000.000'))).toEqual([])
  })

  test('begins with its version and the id of its key', () => {
    const ids = [encryption, createEncryption(secret())].map(({ encrypt, prefix }) => {
      expect(prefix).toHaveLength(5)
      expect(prefix[0]).toBe(2)
      expect(encrypt('x', 'a').subarray(0, 5)).toEqual(prefix)
      return prefix.toString('hex')
    })
    expect(new Set(ids).size).toBe(2)
  })

  test('of a previous key is decrypted, and new ones are encrypted with the current key', () => {
    const [old, current, unknown] = [secret(), secret(), secret()]
    const encrypted = createEncryption(old).encrypt('000.000.001-91', 'a')
    const both = createEncryption(current, [unknown, old])

    expect(both.decrypt(encrypted, 'a')).toBe('000.000.001-91')
    expect(() => both.decrypt(encrypted, 'b')).toThrow()
    expect(createEncryption(current).decrypt(both.encrypt('x', 'a'), 'a')).toBe('x')
    expect(both.indexOf('x')).toEqual(createEncryption(current).indexOf('x'))
    expect(() => createEncryption(current, [unknown]).decrypt(encrypted, 'a')).toThrow()
  })

  test('of version 1, without the id of its key, is still decrypted, also with a previous key', () => {
    const key = 'sg83sG47zqCHw/vQzynTG7YIgBno8EM1g4x+4LRefbg='
    const stored = Buffer.from('Ab6mZMd+YdNqELvzL5BFFAIGzemTU/4eUS3xqvjVgo9bw5t1m2BdxrOVRw==', 'base64')
    const owner = '019e0000-0000-7000-8000-000000000001'

    expect(createEncryption(key).decrypt(stored, owner)).toBe('529.982.247-25')
    expect(createEncryption(secret(), [secret(), key]).decrypt(stored, owner)).toBe('529.982.247-25')
    expect(() => createEncryption(key).decrypt(stored, 'b')).toThrow()
    expect(() => createEncryption(secret()).decrypt(stored, owner)).toThrow()
  })

  test('is refused when a single bit is changed', () => {
    const encrypted = encryption.encrypt('000.000.001-91', 'a')
    for (let index = 0; index < encrypted.length; index++) {
      const changed = Buffer.from(encrypted)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      expect(() => encryption.decrypt(changed, 'a')).toThrow()
    }
  })

  test('is refused when cut short', () => {
    const encrypted = encryption.encrypt('', 'a')
    for (let length = 0; length < encrypted.length; length++) {
      expect(() => encryption.decrypt(encrypted.subarray(0, length), 'a')).toThrow()
    }
  })

  test('is refused for another owner and with another secret', () => {
    const encrypted = encryption.encrypt('000.000.001-91', 'a')
    expect(() => encryption.decrypt(encrypted, 'b')).toThrow()
    expect(() => createEncryption(secret()).decrypt(encrypted, 'a')).toThrow()
  })
})

test('a secrets file that could not be read is read again at the next use', () => {
  const secretsFile = join(temporaryFolder(), 'segredos.json')
  const [old, current] = [secret(), secret()]
  // In place and with the same time: the file does not look changed.
  const write = (content: object) => {
    writeFileSync(secretsFile, JSON.stringify(content))
    utimesSync(secretsFile, 1, 1)
  }
  const others = { ADMIN_PASSWORD: 'x', BOTCONVERSA_WEBHOOK_TOKEN: 'x' }
  write(others)
  const encryption = encryptionOf({ dataKey: old, previousDataKeys: [], secretsFile })
  expect(encryption?.prefix).toEqual(createEncryption(old).prefix)

  write({ DATA_KEY: current, ...others })

  expect(encryption?.prefix).toEqual(createEncryption(current).prefix)
})

test('an index is equal for equal texts, differs by secret, and is not computed with the secret itself', () => {
  const dataKey = secret()
  const index = createEncryption(dataKey).indexOf('00000000191')

  expect(createEncryption(dataKey).indexOf('00000000191')).toEqual(index)
  expect(index).toHaveLength(32)
  expect(createEncryption(dataKey).indexOf('00000000192')).not.toEqual(index)
  expect(createEncryption(secret()).indexOf('00000000191')).not.toEqual(index)
  expect(createHmac('sha256', Buffer.from(dataKey, 'base64')).update('00000000191').digest()).not.toEqual(index)
})

describe('a CPF', () => {
  test.each(['000.000.001-91', '00000000191', ' 529.982.247-25 ', '111.444.777-35'])('%s is valid', (cpf) => {
    expect(checkDigitsAreRight(cpf)).toBe(true)
  })

  test.each(['000.000.001-90', '000.000.001-81', '111.111.111-11', '00000000000', '0000000191', '000000000191', ''])(
    '"%s" is invalid',
    (cpf) => {
      expect(checkDigitsAreRight(cpf)).toBe(false)
    },
  )

  test('is valid for one ending in a hundred', () => {
    const endings = Array.from({ length: 100 }, (_, ending) => `123456789${String(ending).padStart(2, '0')}`)
    expect(endings.filter(checkDigitsAreRight)).toEqual(['12345678909'])
  })

  test('is the same number with and without punctuation', () => {
    expect(digitsOf('000.000.001-91')).toBe('00000000191')
  })
})

import { describe, expect, test } from 'vitest'
import { nationalDigits, withCountryCode } from '#contract/phone.ts'

describe('a phone number is reduced to its national digits', () => {
  test.each([
    ['(11) 98765-4321', '11987654321'],
    ['+55 11 98765-4321', '11987654321'],
    ['+55 (11) 3456-7890', '1134567890'],
    ['+55 011 98765-4321', '11987654321'],
    ['55 11 98765 4321', '11987654321'],
    ['0055 11 98765-4321', '11987654321'],
    ['551134567890', '1134567890'],
    ['011 98765-4321', '11987654321'],
    ['(011) 3456-7890', '1134567890'],
    ['(00) 90000-0000', '00900000000'],
    ['+55 (00) 90000-0000', '00900000000'],
    [' 11.98765.4321 ', '11987654321'],
    ['11987654321', '11987654321'],
    ['', ''],
    ['não tenho', ''],
  ])('%s is %s', (typed, digits) => {
    expect(nationalDigits(typed)).toBe(digits)
  })

  test('the area code 55 is not mistaken for the country code', () => {
    expect(nationalDigits('(55) 98765-4321')).toBe('55987654321')
    expect(nationalDigits('+55 (55) 98765-4321')).toBe('55987654321')
  })

  test('a foreign number stays as typed, so that validation refuses it', () => {
    expect(nationalDigits('+1 212 555 0100')).toBe('+1 212 555 0100')
  })

  test('surplus or missing digits are kept', () => {
    expect(nationalDigits('98765-4321')).toBe('987654321')
    expect(nationalDigits('11 98765-4321 999')).toBe('11987654321999')
  })
})

test.each([
  ['(11) 98765-4321', '5511987654321'],
  ['1134567890', '551134567890'],
  ['011 98765-4321', '5511987654321'],
  ['55987654321', '5555987654321'],
  ['5511987654321', '5511987654321'],
  ['5500000000000', '5500000000000'],
  ['351912345678', '351912345678'],
  ['+1 212 555 0100', '12125550100'],
  ['1198765', '1198765'],
  ['', ''],
])('%s with its country code is %s', (typed, digits) => {
  expect(withCountryCode(typed)).toBe(digits)
})

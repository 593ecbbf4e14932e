// Typos in e-mail addresses: domains with a suggestion, and valid domains without one.
import { describe, expect, test } from 'vitest'
import { probableAddress } from '#web/forms/fields/email-typos.ts'

describe('a typo gets a suggestion', () => {
  test.each([
    ['gmial.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gamil.com', 'gmail.com'],
    ['gmal.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gemail.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmail.cm', 'gmail.com'],
    ['gmail.comm', 'gmail.com'],
    ['gmail,com', 'gmail.com'],
    ['gmailcom', 'gmail.com'],
    ['gmail', 'gmail.com'],
    ['gmail.com.br', 'gmail.com'],
    ['gmial.con', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotmal.com', 'hotmail.com'],
    ['homail.com', 'hotmail.com'],
    ['hotmaill.con', 'hotmail.com'],
    ['hotmai.com.br', 'hotmail.com.br'],
    ['rotmail.com', 'hotmail.com'],
    ['outlok.com', 'outlook.com'],
    ['outllok.com', 'outlook.com'],
    ['outlook.com.b', 'outlook.com.br'],
    ['otlook.com', 'outlook.com'],
    ['yaho.com', 'yahoo.com'],
    ['yahooo.com.br', 'yahoo.com.br'],
    ['yahoo.com.b', 'yahoo.com.br'],
    ['yahoo.combr', 'yahoo.com.br'],
    ['yahho.co.br', 'yahoo.com.br'],
    ['iclod.com', 'icloud.com'],
    ['icloud.con', 'icloud.com'],
    ['uol.com.b', 'uol.com.br'],
    ['uol.combr', 'uol.com.br'],
    ['uolcom.br', 'uol.com.br'],
    ['bol.co.br', 'bol.com.br'],
    ['terra.com.rb', 'terra.com.br'],
    ['ig.con.br', 'ig.com.br'],
    ['live.con', 'live.com'],
    ['globo.con', 'globo.com'],
  ])('%s suggests %s', (typed, expected) => {
    expect(probableAddress(`joao@${typed}`)).toBe(`joao@${expected}`)
  })

  test('the part before the domain is kept, in lower case and without spaces', () => {
    expect(probableAddress(' Joao.Silva+peticao@GMIAL.com ')).toBe('joao.silva+peticao@gmail.com')
  })
})

describe('there is no suggestion for', () => {
  test.each(
    [
      // Common mail providers.
      'gmail.com hotmail.com outlook.com yahoo.com yahoo.com.br icloud.com live.com hotmail.com.br outlook.com.br',
      'uol.com.br bol.com.br terra.com.br ig.com.br globo.com oi.com.br r7.com msn.com me.com aol.com proton.me',
      // Other providers, one letter away from a common one.
      'mail.com email.com ymail.com googlemail.com rocketmail.com gmx.com fastmail.com tutanota.com zoho.com',
      // Common providers in other countries.
      'yahoo.com.ar yahoo.com.mx yahoo.co.uk yahoo.ca yahoo.es yahoo.com.co hotmail.es hotmail.fr outlook.pt live.com.pt',
      // Companies, universities, governments.
      'example.org empresa.com.br hotmart.com amil.com.br cloud.com wahoo.com bol.com terra.com sol.com.br igor.com.br',
      'serra.com.br terra.eco.br globe.com love.com olive.com usp.br unb.br senado.leg.br prefeitura.sp.gov.br ufmg.br',
      'mail.empresa.com.br telecom.com.br i.com c.br hotel.com.br outlet.com.br outback.com.br me.io',
    ]
      .join(' ')
      .split(' '),
  )('%s', (domain) => {
    expect(probableAddress(`joao@${domain}`)).toBeUndefined()
  })

  test.each(['', 'joao', '@gmial.com', 'joao@', 'joao@@gmial.com', 'joão silva@gmial.com'])(
    '%j, which is not an address',
    (typed) => {
      expect(probableAddress(typed)).toBeUndefined()
    },
  )
})

// E-mails: greetings, escaping of names and titles, headers.
import { describe, expect, test } from 'vitest'
import { composeMessage, withoutAddresses } from '#server/adapters/mail.ts'
import { type EmailContent, renderHtml } from '#server/outbox/email/email-layout.ts'
import { greeting } from '#server/outbox/email/email-templates.ts'

describe('the reply of a mail server', () => {
  test('is shown without addresses', () => {
    expect(withoutAddresses('550 5.1.1 <maria@example.org>:\n user unknown')).toBe('550 5.1.1 <…>: user unknown')
  })

  test('may be long: it takes no time, and a cut address is not shown either', () => {
    const startedAt = performance.now()
    expect(withoutAddresses('x'.repeat(60_000))).toBe('')
    expect(performance.now() - startedAt).toBeLessThan(500)
    expect(withoutAddresses(`${'a@b.co '.repeat(142)}maria.silva@example.org`)).not.toContain('maria')
  })
})

describe('a greeting', () => {
  test.each([
    ['Fulana de Exemplo', 'Oi, Fulana!'],
    ['  José-Carlos', 'Oi, José-Carlos!'],
    ["D'Ávila", "Oi, D'Ávila!"],
    ['https://example.org/x', 'Oi, httpsexampleorgx!'],
    ['<b>Fulana</b>', 'Oi, bFulanab!'],
    ['R$ 1.000', 'Oi!'],
    ['x Fulana', 'Oi, Fulana!'],
    ['a'.repeat(31), 'Oi!'],
    ['', 'Oi!'],
  ])('for %j is %s', (name, expected) => {
    expect(greeting(name)).toBe(expected)
  })
})

const hostile = `"><a href='https://example.net'>x</a>&`
const footer = { movimento: hostile, siteUrl: 'https://example.org', unsubscribeUrl: `https://example.org/"'<` }

test('no text of an e-mail can end its attribute or element', () => {
  const link = { label: hostile, href: `https://example.org/"'<` }
  const content: EmailContent = {
    ...{ subject: hostile, preview: hostile, title: hostile, theme: 'red' },
    blocks: [
      { kind: 'text', text: hostile },
      { kind: 'small', text: hostile },
      { kind: 'quote', title: hostile, text: hostile },
      { kind: 'button', link },
      { kind: 'links', text: hostile, links: [link] },
    ],
  }
  const html = renderHtml(content, footer)
  const escaped = '&quot;&gt;&lt;a href=&#39;https://example.net&#39;&gt;x&lt;/a&gt;&amp;'
  // Once in each position, and twice in the footer.
  expect(html.split(escaped)).toHaveLength(13)
  expect(html).not.toContain("example.net'")
  expect(html.split('href="https://example.org/&quot;&#39;&lt;"')).toHaveLength(4)
})

const mail = {
  key: '1.2',
  fromName: 'Mobiliza',
  to: 'a@example.org',
  replyTo: 'contato@example.org',
  subject: 's',
  html: 'h',
  text: 't',
  unsubscribeUrl: 'https://example.org/u',
}

test('an e-mail has one recipient and one-click unsubscription', () => {
  expect(composeMessage(mail, 'nao-responda@example.org')).toMatchObject({
    from: { name: 'Mobiliza', address: 'nao-responda@example.org' },
    to: { name: '', address: 'a@example.org' },
    envelope: { from: 'nao-responda@example.org', to: ['a@example.org'] },
    messageId: '<1.2@example.org>',
    list: { unsubscribe: { url: 'https://example.org/u' } },
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click', 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
})

test('replies go to the coordination, unless its address is invalid or the sender', () => {
  const replyTo = (address: string) => composeMessage({ ...mail, replyTo: address }, 'nao-responda@example.org').replyTo
  for (const address of ['contato@example.org', "d'avila+site@mail.example.com.br"])
    expect(replyTo(address)).toEqual({ name: '', address })
  const refused = [
    '',
    'contato',
    'a@b',
    'nao-responda@example.org',
    'Nao-Responda@Example.org',
    'a@example.org, b@example.org',
  ]
  for (const address of [...refused, 'a@example.org\r\nBcc: b@example.org', '<a@example.org>', 'a b@example.org'])
    expect(replyTo(address)).toBeUndefined()
})

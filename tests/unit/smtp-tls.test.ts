// SMTP and encryption: which addresses need STARTTLS, and what reaches a server that does not offer it.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Mail, MailFailure } from '#server/adapters/mail.ts'
import { createSmtpMailer } from '#server/adapters/smtp.ts'
import { readSmtpAddress } from '#server/core/smtp-address.ts'
import { makeCertificate } from '#tests/helpers/certificate.ts'
import { startSmtp } from '#tests/helpers/smtp.ts'

describe('an address', () => {
  test.each([
    'smtp://mail.example.org',
    'smtp://usuario:senha@mail.example.org:587',
    'smtp://203.0.113.7',
    'smtp://172.32.0.1',
    'smtp://[2001:db8::7]',
    'smtp://localhost.example.org',
    'smtp://10.0.0.1.example.org',
    // Not normalized, so it is a name.
    'smtp://127.1',
    'smtp://mail',
  ])('%s needs STARTTLS', (url) => {
    expect(readSmtpAddress(url)).toEqual({ url, startTls: 'required' })
  })

  test.each([
    'smtp://localhost:1025',
    'smtp://LOCALHOST',
    'smtp://mail.localhost',
    'smtp://127.0.0.1:25',
    'smtp://127.8.9.10',
    'smtp://10.89.0.30',
    'smtp://172.16.0.1',
    'smtp://192.168.1.2',
    'smtp://169.254.1.2',
    'smtp://[::1]',
    'smtp://[fd12:3456::1]',
    'smtp://[fe80::1]',
    'smtp://[::ffff:10.0.0.1]',
    'smtps://mail.example.org',
  ])('%s uses STARTTLS only if the server offers it', (url) => {
    expect(readSmtpAddress(url)).toEqual({ url, startTls: 'offered' })
  })

  test('with tls=nao is not encrypted, and the other parameters stay', () => {
    expect(readSmtpAddress('smtp://u:s%40@mail.example.org:25/?tls=nao&socketTimeout=500')).toEqual({
      url: 'smtp://u:s%40@mail.example.org:25/?socketTimeout=500',
      startTls: 'off',
    })
  })
})

const mail: Mail = {
  key: '1.1',
  fromName: 'Mobiliza',
  to: 'fulana@example.org',
  replyTo: 'contato@example.org',
  subject: 'Oi',
  html: 'Oi',
  text: 'Oi',
  unsubscribeUrl: 'https://example.org/sair',
}

describe('an e-mail', () => {
  let certificate: { key: string; cert: string }
  beforeAll(() => {
    certificate = makeCertificate(['127.0.0.1', '0.0.0.0'])
  })

  const trustCertificate = () => {
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, certificate.cert])
    onTestFinished(() => setDefaultCACertificates(before))
  }

  /** Linux connects 0.0.0.0 to this machine, and it is not one of the local addresses. */
  async function send({ host = '0.0.0.0', query = '', offersTls = false }) {
    const smtp = await startSmtp({ acceptsLogin: true, ...(offersTls && { tls: certificate }) })
    const url = `smtp://usuario:senha@${host}:${smtp.port}${query}`
    const mailer = createSmtpMailer({ url, from: 'nao-responda@example.org', connections: 1 })
    onTestFinished(async () => {
      mailer.close()
      await smtp.stop()
    })
    const failure = await mailer.send(mail).then(
      () => undefined,
      (error) => error as MailFailure,
    )
    return { failure, mails: smtp.received.map(({ encrypted }) => ({ encrypted })), logins: smtp.logins }
  }

  test('and its password stay here while a distant server does not offer STARTTLS', async () => {
    const { failure, mails, logins } = await send({})
    expect(failure).toBeInstanceOf(MailFailure)
    // `away`: it waits in the queue without costing a try, and the status page shows the reason.
    expect(failure).toMatchObject({ kind: 'away' })
    expect([mails, logins]).toEqual([[], []])
  })

  test.each(['?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true'])(
    'stays here also with %s of nodemailer in the address',
    async (query) => {
      expect(await send({ query })).toMatchObject({ failure: { kind: 'away' }, mails: [], logins: [] })
    },
  )

  test('goes to a distant server encrypted, password included', async () => {
    trustCertificate()
    expect(await send({ offersTls: true })).toEqual({
      failure: undefined,
      mails: [{ encrypted: true }],
      logins: [{ username: 'usuario', encrypted: true }],
    })
  })

  test('does not go to a distant server whose certificate is not trusted', async () => {
    expect(await send({ offersTls: true })).toMatchObject({ failure: { kind: 'away' }, mails: [], logins: [] })
  })

  test('goes to a server on this machine without STARTTLS, and encrypted where it is offered', async () => {
    expect(await send({ host: '127.0.0.1' })).toMatchObject({ failure: undefined, mails: [{ encrypted: false }] })
    trustCertificate()
    expect(await send({ host: '127.0.0.1', offersTls: true })).toMatchObject({ mails: [{ encrypted: true }] })
  })

  test('goes without encryption where the address says tls=nao', async () => {
    expect(await send({ query: '?tls=nao' })).toMatchObject({ failure: undefined, mails: [{ encrypted: false }] })
    expect(await send({ query: '?tls=nao', offersTls: true })).toMatchObject({ mails: [{ encrypted: false }] })
  })
})

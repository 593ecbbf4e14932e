// E-mails: their content and headers, quotas, and reactions to the replies of an SMTP server.
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { MailFailure } from '#server/adapters/mail.ts'
import { createSmtpMailer } from '#server/adapters/smtp.ts'
import { digestOf } from '#server/core/tokens.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { seed } from '#tests/helpers/random.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

/** The files of a folder that contain the text. The folder may be missing. */
function filesWith(text: string, folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
  return files.filter((file) => readFileSync(file, 'utf8').includes(text))
}

let smtp: SmtpServer
let site: TestSite
beforeAll(async () => {
  smtp = await startSmtp()
  const env = { SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org', EMAILS_PER_MINUTE: '60000' }
  site = await openTestSite(env, { deliveries: { pollMs: 100, pauseMs: 10, maxTries: 3 } })
})
afterAll(async () => {
  await site.close()
  await smtp.stop()
})
beforeEach(async () => {
  await site.empty()
  smtp.received.length = 0
  Object.assign(smtp.faults, {
    delayMs: 0,
    sender: () => undefined,
    recipient: () => undefined,
    data: () => undefined,
    dropAfterData: () => undefined,
  })
})

const post = (path: string, body: object) => postJson(site.url + path, body)

/** Waits until the queue has no e-mail left to send. */
async function mails(timeout = 15_000): Promise<Email[]> {
  await expect
    .poll(
      () =>
        site.rows(
          `select kind, reason from outbox where not dead and kind not like 'planilha%' and kind <> 'lembretes'`,
        ),
      { timeout },
    )
    .toEqual([])
  return smtp.parsed()
}

async function onlyMail(): Promise<Email> {
  const all = await mails()
  expect(all.length).toBe(1)
  return all[0] as Email
}

const header = (mail: Email | undefined, key: string) => mail?.headers.filter((one) => one.key === key) ?? []
const links = (mail: Email | undefined) =>
  [...(mail?.html ?? '').matchAll(/href="([^"]+)"/g)].map(([, href]) => String(href))
const linkTo = (mail: Email | undefined, path: string) =>
  links(mail).find((href) => href.startsWith(`https://mobiliza.example.org/${path}/`)) ?? ''

describe('the content of e-mails', () => {
  test('a signature gets its campaign, a confirm button, "não fui eu" and share links', async () => {
    const { email } = aSignature()
    await post('/api/campaigns/brasilquerpaz/signatures', aSignature({ nome: 'Zé <b>Fulano</b>', email }))

    const mail = await onlyMail()

    expect(mail.subject).toBe('Falta um toque: confirme sua assinatura')
    expect(mail.from).toMatchObject({ name: 'Mobiliza', address: 'nao-responda@example.org' })
    expect(mail.to).toMatchObject([{ address: email }])
    expect(mail.replyTo).toMatchObject([{ name: '', address: 'contato@example.org' }])
    expect(smtp.received[0]).toMatchObject({ from: 'nao-responda@example.org', to: [email] })
    expect(mail.html).toContain('Oi, Zé!')
    const [campaign] = await site.rows(`select titulo from campaigns where slug = 'brasilquerpaz'`)
    for (const body of [mail.html, mail.text]) {
      expect(body).toContain(campaign?.titulo)
      expect(body).toContain(encodeURIComponent('https://mobiliza.example.org/brasilquerpaz'))
    }
    expect(linkTo(mail, 'confirmar')).toMatch(/^https:\/\/mobiliza\.example\.org\/confirmar\/[\w-]{22}$/)
    expect(links(mail).some((href) => href.startsWith('https://wa.me/?text='))).toBe(true)
    for (const path of ['confirmar', 'nao-fui-eu', 'descadastrar']) expect(mail.text).toContain(linkTo(mail, path))
    expect(mail.html).not.toMatch(/<img|<script|url\(/)
  })

  test('an e-mail has one-click unsubscription, Auto-Submitted and a unique id', async () => {
    await post('/api/peticoes', aSignature())

    const mail = await onlyMail()

    expect(header(mail, 'list-unsubscribe')).toMatchObject([{ value: `<${linkTo(mail, 'descadastrar')}>` }])
    expect(header(mail, 'list-unsubscribe-post')).toMatchObject([{ value: 'List-Unsubscribe=One-Click' }])
    expect(header(mail, 'auto-submitted')).toMatchObject([{ value: 'auto-generated' }])
    expect(mail.messageId).toMatch(/^<\d+\.\d+@example\.org>$/)
  })

  test('link secrets are stored as digests, each for one action, with an expiry', async () => {
    await post('/api/peticoes', aSignature())
    const mail = await onlyMail()

    const tokens = await site.rows<{ digest: Buffer; action: string; days: number }>(
      `select digest, action, round(extract(epoch from "expiresAt" - now()) / 86400)::int as days from email_tokens order by action`,
    )

    expect(tokens.map(({ action, days }) => [action, days])).toEqual([
      ['confirmar', 30],
      ['descadastrar', 180],
      ['remover', 30],
    ])
    const secret = linkTo(mail, 'confirmar').split('/').at(-1) ?? ''
    expect(tokens[0]?.digest.equals(digestOf(secret))).toBe(true)
  })

  test.each([
    [['QUERO CRIAR CONTEÚDO'], 'grupo-criadores', 'Entre no grupo de criadores de conteúdo'],
    [['QUERO ESPALHAR CONTEÚDO NAS REDES'], 'grupo-geral', 'Entre no grupo do WhatsApp'],
  ])('a volunteer with the task %s is invited to %s', async (tasks, group, label) => {
    await post('/api/contacts', aContact({ tasks }))

    const mail = await onlyMail()

    expect(mail.subject).toBe('Seu cadastro de voluntário chegou')
    expect(links(mail)).toContain(`https://example.org/${group}`)
    expect(mail.html).toContain(label)
  })

  test('an influencer and a leader get a receipt without the data of their application', async () => {
    const leader = aLeader()
    await post('/api/lideres', anInfluencer())
    await post('/api/formulario-lideres', leader)

    const all = await mails()

    expect(all.map(({ subject }) => subject).sort()).toEqual([
      'Sua inscrição de influenciador chegou',
      'Sua inscrição de liderança chegou',
    ])
    const text = smtp.received.map(({ raw }) => raw).join()
    for (const secret of [leader.cpf, leader.endereco, leader.whatsapp]) expect(text).not.toContain(secret)
  })

  test('a repeated signature days later gets a notice', async () => {
    const signature = aSignature()
    await post('/api/peticoes', signature)
    await mails()
    await site.rows(`update peticoes set "createdAt" = now() - interval '3 days'`)

    await post('/api/peticoes', signature)

    await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(2)
    const [, notice] = await mails()
    expect(notice?.subject).toBe('Você já tinha assinado')
    expect(linkTo(notice, 'confirmar')).not.toBe('')
    await site.rows('update peticoes set "confirmadoEm" = now(), "notifiedAt" = null')
    await site.rows('update enderecos set "notifiedAt" = null')
    await post('/api/peticoes', signature)
    await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(3)
    expect(linkTo((await mails())[2], 'confirmar')).toBe('')
  })
})

describe('the number of e-mails', () => {
  const remind = () => site.rows(`update outbox set "dueAt" = now() where kind = 'lembretes'`)

  test('an unconfirmed signature gets one reminder, a confirmed one gets none', async () => {
    const [one, other] = [aSignature(), aSignature()]
    await post('/api/peticoes', one)
    await post('/api/peticoes', other)
    await mails()
    await site.rows('update peticoes set "confirmadoEm" = now() where email = $1', [other.email])
    smtp.received.length = 0

    await remind()
    await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(1)
    await remind()

    const mail = await onlyMail()
    expect(mail.subject).toBe('Sua assinatura ainda espera confirmação')
    expect(smtp.received[0]?.to).toEqual([one.email])
  })

  test('the reminder is sent two days after the first e-mail, even if that was late', async () => {
    await smtp.stop()
    await post('/api/peticoes', aSignature())
    await expect.poll(async () => (await site.rows(`select 1 from outbox where kind = 'assinaturas'`)).length).toBe(0)
    await site.rows(`update outbox set "createdAt" = now() - interval '3 days'`)
    smtp = await startSmtp({ port: smtp.port })
    await onlyMail()

    expect(
      await site.rows(`select "dueAt" > now() + interval '47 hours' as later from outbox where kind = 'lembretes'`),
    ).toEqual([{ later: true }])
  })

  test('an address gets at most five e-mails for a campaign', async () => {
    const signature = aSignature()
    await post('/api/peticoes', signature)
    const [row] = await site.rows<{ id: string }>('select id from peticoes')
    await site.rows(
      `insert into outbox (kind, payload) select 'email', jsonb_build_object('modelo', 'assinatura', 'id', $1::text) from generate_series(1, 20)`,
      [row?.id],
    )
    expect((await mails()).length).toBe(5)

    await post('/api/campaigns/brasilquerpaz/signatures', signature)
    expect((await mails()).length).toBe(6)
    expect(await site.rows('select n from emails_por_endereco order by n')).toEqual([{ n: 1 }, { n: 5 }])
  })

  test('a mailbox gets at most five e-mails for a campaign from 1,000 signatures with +tags, which all count', {
    tags: ['slow'],
    timeout: 180_000,
  }, async () => {
    const { email, ...person } = aSignature()
    const [local, domain] = email.split('@')
    const tagged = (n: number) => post('/api/peticoes', { ...person, email: `${local}+${n}@${domain}` })
    for (let n = 0; n < 1_000; n += 100) await Promise.all(Array.from({ length: 100 }, (_, i) => tagged(n + i)))

    expect((await mails(120_000)).length).toBe(5)
    expect(await site.rows('select count(*)::int as n from peticoes')).toEqual([{ n: 1_000 }])

    await post('/api/campaigns/brasilquerpaz/signatures', { ...person, email })
    expect((await mails()).length).toBe(6)
  })

  test('a refused address with a tag does not mark the mailbox without it', async () => {
    const { email, ...person } = aSignature()
    const [local, domain] = email.split('@')
    smtp.faults.recipient = (address) => (address.includes('+') ? { code: 550, text: '5.1.1 no such user' } : undefined)
    await post('/api/peticoes', { ...person, email: `${local}+x@${domain}` })
    expect(await mails()).toEqual([])

    await post('/api/peticoes', { ...person, email })

    expect((await onlyMail()).to).toMatchObject([{ address: email }])
  })

  test('notices of repeats in several campaigns are one a day', async () => {
    const signature = aSignature()
    const paths = ['/api/peticoes', '/api/campaigns/brasilquerpaz/signatures', '/api/abaixo-assinado']
    for (const path of paths) await post(path, signature)
    await mails()
    await site.rows(`update peticoes set "createdAt" = now() - interval '3 days'`)
    smtp.received.length = 0

    for (const path of paths) await post(path, signature)

    await expect
      .poll(() => site.rows(`select 1 from peticoes where "notifiedAt" is null`), { timeout: 5_000 })
      .toEqual([])
    expect((await mails()).map(({ subject }) => subject)).toEqual(['Você já tinha assinado'])
  })

  test('an erased signature gets no e-mail', async () => {
    smtp.faults.recipient = () => ({ code: 451, text: 'later' })
    await post('/api/peticoes', aSignature())
    await site.rows('delete from peticoes')
    smtp.faults.recipient = () => undefined

    expect(await mails()).toEqual([])
  })
})

describe('the replies of an SMTP server', () => {
  const outcome = () => site.rows('select attempts, dead, reason from outbox where kind = $1', ['email'])

  test('a mailbox that does not exist gets no further e-mail, in any of its spellings', async () => {
    smtp.faults.recipient = (address) =>
      /inexistente/.test(address) ? { code: 550, text: '5.1.1 no such user' } : undefined
    await post('/api/peticoes', aSignature({ email: 'fulano.inexistente@gmail.com' }))
    expect(await mails()).toEqual([])
    expect(await site.rows('select "rejectedAt" is not null as refused from enderecos')).toEqual([{ refused: true }])

    smtp.faults.recipient = () => undefined
    await post('/api/campaigns/brasilquerpaz/signatures', aSignature({ email: 'fulanoinexistente+x@gmail.com' }))
    expect(await mails()).toEqual([])
  })

  test('a refused message or sender makes the e-mail a dead letter with the reason, and its address stays valid', async () => {
    smtp.faults.recipient = () => ({ code: 550, text: '5.7.1 relaying denied' })
    await post('/api/peticoes', aSignature())

    await expect.poll(async () => (await outcome())[0]?.dead, { timeout: 10_000 }).toBe(true)

    expect(await outcome()).toMatchObject([{ attempts: 1, reason: expect.stringContaining('5.7.1 relaying denied') }])
    expect(await site.rows('select * from enderecos')).toEqual([])
    smtp.faults.recipient = () => undefined
    expect(await site.deliveries.resendAll(async () => {})).toBe(1)
    expect((await mails()).length).toBe(1)
    expect(await site.rows('select n from emails_por_endereco')).toEqual([{ n: 1 }])
  })

  test.each([
    [550, 'relay not permitted'],
    [553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
    [550, '5.1.8 <nao-responda@example.org>: sender address rejected'],
    [550, 'refused for 5.1.1.20'],
  ])('%s %s concerns the sender: the e-mail becomes a dead letter, and its address stays valid', async (code, text) => {
    smtp.faults.recipient = () => ({ code, text })
    await post('/api/peticoes', aSignature())

    await expect.poll(async () => (await outcome())[0]?.dead, { timeout: 10_000 }).toBe(true)
    expect(await site.rows('select * from enderecos')).toEqual([])
  })

  test('an e-mail address in a server reply is not stored', async () => {
    const { email, ...signature } = aSignature()
    smtp.faults.recipient = (address) => ({ code: 552, text: `5.2.2 <${address}>: mailbox of ${address} is full` })
    await post('/api/peticoes', { ...signature, email })

    await expect.poll(async () => (await outcome())[0]?.dead, { timeout: 10_000 }).toBe(true)
    expect(await outcome()).toMatchObject([
      { reason: 'O servidor de e-mail respondeu: 552 5.2.2 <…>: mailbox of … is full' },
    ])
  })

  test('a temporary refusal is retried, and the e-mail is counted once', async () => {
    let refusals = 2
    smtp.faults.data = () => (refusals-- > 0 ? { code: 451, text: '4.7.1 greylisted' } : undefined)
    await post('/api/peticoes', aSignature())

    expect((await mails()).length).toBe(1)
    expect(await site.rows('select n from emails_por_endereco')).toEqual([{ n: 1 }])
  })

  test('a permanent "later" makes the e-mail a dead letter', async () => {
    smtp.faults.data = () => ({ code: 451, text: '4.7.1 greylisted' })
    await post('/api/peticoes', aSignature())

    await expect.poll(async () => (await outcome())[0]?.dead, { timeout: 10_000 }).toBe(true)
    expect(await outcome()).toMatchObject([{ attempts: 3, reason: expect.stringContaining('greylisted') }])
  })

  test.each(['closed', 'reset'] as const)(
    'a connection that is %s after the server accepted the e-mail leads to a second copy with the same id',
    async (end) => {
      let cuts = 1
      smtp.faults.dropAfterData = () => (cuts-- > 0 ? end : undefined)
      await post('/api/peticoes', aSignature())

      await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(2)
      const [one, other] = await mails()
      expect(one?.messageId).toBe(other?.messageId)
      expect(await site.rows('select n from emails_por_endereco')).toEqual([{ n: 1 }])
    },
  )

  test.each(['closed', 'reset'] as const)(
    'a connection that is %s in every e-mail uses up attempts and makes it a dead letter',
    async (end) => {
      smtp.faults.dropAfterData = () => end
      await post('/api/peticoes', aSignature())

      await expect.poll(async () => (await outcome())[0]?.dead, { timeout: 10_000 }).toBe(true)
      expect(smtp.received.length).toBe(3)
      // The same id, so that a server that accepted one copy can drop the others.
      expect(new Set((await smtp.parsed()).map(({ messageId }) => messageId)).size).toBe(1)
    },
  )

  test('a timeout after the e-mail was sent means "later", a timeout before it means "away"', async () => {
    const from = 'nao-responda@example.org'
    const silentServer = createServer((socket) => void socket.on('error', () => {}).write('220 example.org\r\n'))
    await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve))
    const slow = await startSmtp()
    slow.faults.delayMs = 2_000
    onTestFinished(async () => {
      silentServer.close()
      await slow.stop()
    })
    const failureKind = async (url: string) => {
      const mailer = createSmtpMailer({ url: `${url}?socketTimeout=500&connectionTimeout=500`, from, connections: 1 })
      onTestFinished(() => mailer.close())
      const mail = {
        key: '1.1',
        fromName: 'Mobiliza',
        to: 'fulana@example.org',
        replyTo: 'contato@example.org',
        subject: 'Oi',
        html: 'Oi',
        text: 'Oi',
        unsubscribeUrl: from,
      }
      return mailer.send(mail).catch((error: MailFailure) => error.kind)
    }

    expect(await failureKind(slow.url)).toBe('later')
    expect(await failureKind(`smtp://127.0.0.1:${(silentServer.address() as AddressInfo).port}`)).toBe('away')
  })

  test.each([
    [
      'refuses the sender',
      () => Object.assign(smtp.faults, { sender: () => ({ code: 550, text: 'account suspended' }) }),
    ],
    [
      'refuses the sender temporarily',
      () => Object.assign(smtp.faults, { sender: () => ({ code: 451, text: '4.7.0 quota used up' }) }),
    ],
  ])('a server that %s is away: no attempts are counted', async (_, refuse) => {
    refuse()
    for (let n = 0; n < 6; n++) await post('/api/peticoes', aSignature())
    await expect.poll(async () => (await site.deliveries.summary()).reasons.length, { timeout: 10_000 }).toBe(1)
    expect(await site.rows('select 1 from outbox where attempts > 0 or dead')).toEqual([])

    smtp.faults.sender = () => undefined
    expect((await mails()).length).toBe(6)
  })

  test('a connection that is accepted and closed, as by a proxy before a dead server, counts no attempts', async () => {
    await smtp.stop()
    const proxy = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => proxy.listen(smtp.port, '127.0.0.1', resolve))
    for (let n = 0; n < 6; n++) await post('/api/peticoes', aSignature())
    await expect.poll(async () => (await site.deliveries.summary()).reasons.length, { timeout: 10_000 }).toBe(1)
    await delay(1_500)
    expect(await site.rows('select 1 from outbox where attempts > 0 or dead')).toEqual([])

    await new Promise((resolve) => proxy.close(resolve))
    smtp = await startSmtp({ port: smtp.port })
    expect((await mails()).length).toBe(6)
  })

  test('an unreachable server counts no attempts, and gets all e-mails when it is back', async () => {
    await smtp.stop()
    for (let n = 0; n < 8; n++) await post('/api/peticoes', aSignature())
    await expect.poll(async () => (await site.deliveries.summary()).reasons.length, { timeout: 10_000 }).toBe(1)
    const { reasons, emailsAway } = await site.deliveries.summary()
    expect(reasons[0]?.reason).toContain('ECONNREFUSED')
    expect(emailsAway).toEqual({ at: expect.any(Date), reason: expect.stringContaining('ECONNREFUSED') })
    expect(await site.rows('select 1 from outbox where attempts > 0')).toEqual([])

    smtp = await startSmtp({ port: smtp.port })

    expect((await mails()).length).toBe(8)
    await expect.poll(async () => (await site.deliveries.summary()).emailsAway).toBeNull()
    expect(site.logged().filter((line) => line.includes('destination away')).length).toBeGreaterThan(0)
  })
})

test('any name and any title give one recipient, the expected headers and readable HTML and text', {
  tags: ['slow'],
  timeout: 120_000,
}, async () => {
  const anyText = fc.stringMatching(/^[\s\S]{0,60}$/)
  const name = fc.oneof(
    anyText,
    fc.constantFrom(
      'Fulano\r\nBcc: beltrano@example.net',
      'a@example.net, b@example.net',
      '"Fulano" <x@example.net>',
      'https://example.net/golpe clique',
      '\u202eonaluF',
      '=HYPERLINK("http://example.net")',
      '<script>alert(1)</script>',
      '=?utf-8?q?x?=',
      '.\r\n.\r\nQUIT',
    ),
    fc.string({ unit: 'binary', maxLength: 80 }).filter((text) => !/[\0\ud800-\udfff]/.test(text)),
  )
  const [before] = await site.rows(`select titulo, subtitulo from campaigns where slug = 'juros'`)
  onTestFinished(async () => {
    await site.rows(`update campaigns set titulo = $1, subtitulo = $2 where slug = 'juros'`, [
      before?.titulo,
      before?.subtitulo,
    ])
  })
  await fc.assert(
    fc.asyncProperty(fc.record({ nome: name, titulo: name }), async ({ nome, titulo }) => {
      await site.empty()
      smtp.received.length = 0
      const { email } = aSignature()
      // Written past the form, which would sanitise it: e-mails must be safe by themselves.
      await site.rows(`update campaigns set titulo = $1, subtitulo = $1 where slug = 'juros'`, [titulo])
      await site.rows(
        `with one as (insert into peticoes (id, nome, email, "canonicalEmail", whatsapp, cidade, estado, "requestId", "versaoConsentimento")
          values (gen_random_uuid(), $1, $2, $2, '', '', 'SP', gen_random_uuid(), '') returning id)
        insert into outbox (kind, payload) select 'email', jsonb_build_object('modelo', 'assinatura', 'id', id) from one`,
        [nome.slice(0, 200), email],
      )
      site.deliveries.wake()
      const mail = await onlyMail()
      const [envelope] = smtp.received
      expect(envelope?.to).toEqual([email])
      expect([mail.to, mail.cc, mail.bcc]).toEqual([[{ address: email, name: '' }], undefined, undefined])
      expect(mail.headers.map(({ key }) => key).sort()).toEqual([
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'list-unsubscribe',
        'list-unsubscribe-post',
        'message-id',
        'mime-version',
        'reply-to',
        'subject',
        'to',
      ])
      expect(mail.subject).toBe('Falta um toque: confirme sua assinatura')
      expect(mail.attachments).toEqual([])
      // Links are ours or of the share buttons; a name adds none, in HTML or text.
      const ours = /^https:\/\/(mobiliza\.example\.org|wa\.me|t\.me|www\.facebook\.com|twitter\.com)(\/|$)/
      expect(links(mail).filter((href) => !ours.test(href))).toEqual([])
      expect(mail.html).not.toContain('<script')
      const hello = /Oi[^!]*!/.exec(mail.text ?? '')?.[0] ?? ''
      expect(hello).toMatch(/^Oi(, [\p{L}\p{M}'’-]{2,30})?!$/u)
    }),
    { numRuns: 60, seed, endOnFailure: true },
  )
})

test('with a DKIM key, e-mails are signed, including the one-click headers', async () => {
  const folder = temporaryFolder()
  const keyFile = join(folder, 'dkim.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const env = { SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org', EMAILS_PER_MINUTE: '60000' }
  const dkim = { DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 'mobiliza', DKIM_KEY_FILE: keyFile }
  const signingSite = await openTestSite({ ...env, ...dkim }, { deliveries: { pollMs: 100 } })
  onTestFinished(async () => {
    await signingSite.close()
    rmSync(folder, { recursive: true })
  })

  await postJson(`${signingSite.url}/api/peticoes`, aSignature())

  await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(1)
  const [mail] = await smtp.parsed()
  const [signature] = header(mail, 'dkim-signature')
  const tags = Object.fromEntries((signature?.value ?? '').split(/;\s*/).map((tag) => tag.split(/=(.*)/s)))
  expect(tags).toMatchObject({ a: 'rsa-sha256', d: 'example.org', s: 'mobiliza' })
  const signed = String(tags.h).toLowerCase().split(':')
  expect(signed).toEqual(
    expect.arrayContaining([
      'from',
      'to',
      'subject',
      'date',
      'message-id',
      'list-unsubscribe',
      'list-unsubscribe-post',
    ]),
  )
})

describe('without an SMTP server', () => {
  test('e-mails are files that administrators can list and read, and that mail programs can open', async () => {
    const local = await openTestSite({ EMAILS_PER_MINUTE: '60000' }, { deliveries: { pollMs: 100 } })
    onTestFinished(() => local.close())
    const [one, other] = [aSignature(), aSignature({ nome: 'Ação Fulana' })]
    await postJson(`${local.url}/api/peticoes`, one)
    await expect.poll(async () => (await local.deliveries.localEmails()).length, { timeout: 10_000 }).toBe(1)
    await postJson(`${local.url}/api/peticoes`, other)
    await expect.poll(async () => (await local.deliveries.localEmails()).length, { timeout: 10_000 }).toBe(2)

    const [latest] = await local.deliveries.localEmails()
    const read = await local.deliveries.localEmail(latest?.id ?? '')

    expect(latest).toMatchObject({ to: other.email, subject: 'Falta um toque: confirme sua assinatura' })
    expect(Math.abs(Date.now() - Number(latest?.sentAt))).toBeLessThan(60_000)
    const parsed = await PostalMime.parse(read?.raw ?? '')
    expect(read?.html.replaceAll('\r', '')).toBe(parsed.html?.trim())
    expect(read?.text.replaceAll('\r', '')).toBe(parsed.text?.trim())
    expect(read?.text).toContain('Oi, Ação!')
    for (const id of ['../segredos', 'nada', '', '..', `${latest?.id}/../x`])
      expect(await local.deliveries.localEmail(id)).toBe(undefined)
    // Not in the folder of a site that runs from this clone.
    expect(filesWith(other.email, 'data/emails')).toEqual([])
    expect(filesWith(other.email, join(local.dataDir, 'emails'))).toHaveLength(1)

    const admin = await enter(local)
    const [signed] = await local.rows<{ id: string }>('select id from peticoes where email = $1', [other.email])
    await admin.ask('DELETE', `/api/admin/pessoas/assinaturas/${signed?.id}`)
    expect((await local.deliveries.localEmails()).map(({ to }) => to)).toEqual([one.email])
  })
})

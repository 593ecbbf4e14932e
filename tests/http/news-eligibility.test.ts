// Property: after any history of sign-ups, confirmations, choices, removals and suppressions, news reach exactly the
// people who want and may get them, also when the change comes between preparing and sending.
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PeopleKind } from '#contract/admin/people.ts'
import type { NewsChoice } from '#contract/email-links.ts'
import { mailboxHmac } from '#server/core/address-key.ts'
import { digestOf, linkSecret } from '#server/core/tokens.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { addPerson, campaignId, newsClient } from '#tests/helpers/news.ts'
import { seed } from '#tests/helpers/random.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let smtp: SmtpServer
let site: TestSite
let admin: Administrator
beforeAll(async () => {
  smtp = await startSmtp()
  const env = { SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org', EMAILS_PER_MINUTE: '600000' }
  site = await openTestSite(env, { deliveries: { pollMs: 50 } })
})
afterAll(async () => {
  await site.close()
  await smtp.stop()
})
beforeEach(async () => {
  await site.empty()
  admin = await enter(site)
})

const campaigns = ['juros', 'brasilquerpaz'] as const
type Slug = (typeof campaigns)[number]
const mailboxes = ['ana', 'bia', 'cris'] as const

type Step =
  | { does: 'add'; kind: 'assinaturas' | 'voluntarios'; campaign: Slug; mailbox: number; tag: string; accepts: boolean }
  | { does: 'confirm' | 'erase' | 'suppress'; which: number }
  | { does: 'choose'; which: number; choice: NewsChoice }
  | { does: 'prepare'; campaign: Slug }
  | { does: 'publish' }

const which = fc.nat(20)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('add' as const),
      kind: fc.constantFrom('assinaturas' as const, 'voluntarios' as const),
      campaign: fc.constantFrom(...campaigns),
      mailbox: fc.nat(mailboxes.length - 1),
      tag: fc.constantFrom('', '', '+lista'),
      accepts: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('confirm' as const), which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('erase' as const, 'suppress' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('choose' as const),
      which,
      choice: fc.constantFrom<NewsChoice>('todas', 'todas', 'sem-campanha', 'nenhuma', 'nunca'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('prepare' as const), campaign: fc.constantFrom(...campaigns) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('publish' as const) }) },
)

interface ModelRecord {
  id: string
  kind: PeopleKind
  email: string
  mailbox: string
  campaign: Slug | undefined
  accepts: boolean
  confirmed: boolean
  erased: boolean
  at: number
}

interface ModelMailbox {
  leftAt: number | undefined
  never: boolean
  optOuts: Set<Slug>
}

/** What the product promises, written without looking at its queries. */
class Model {
  readonly records: ModelRecord[] = []
  readonly suppressed = new Set<string>()
  readonly #mailboxes = new Map<string, ModelMailbox>()

  mailbox(name: string): ModelMailbox {
    const state = this.#mailboxes.get(name) ?? { leftAt: undefined, never: false, optOuts: new Set<Slug>() }
    this.#mailboxes.set(name, state)
    return state
  }

  isEligible({ accepts, confirmed, erased, mailbox, email }: ModelRecord, campaign: Slug): boolean {
    const { leftAt, never, optOuts } = this.mailbox(mailbox)
    const mayGet = leftAt === undefined && !never && !optOuts.has(campaign) && !this.suppressed.has(email)
    return accepts && confirmed && !erased && mayGet
  }

  /** The record for which each mailbox gets news: signatures first, then the oldest. */
  recipients(campaign: Slug): ModelRecord[] {
    const order = (record: ModelRecord) => `${record.kind === 'assinaturas' ? 0 : 1}${record.id}`
    const eligible = this.records.filter((record) => this.isEligible(record, campaign))
    return mailboxes.flatMap((name) =>
      eligible
        .filter(({ mailbox }) => mailbox.startsWith(name))
        .toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
        .slice(0, 1),
    )
  }

  confirm(record: ModelRecord): void {
    const state = this.mailbox(record.mailbox)
    const returns = record.accepts && !state.never && state.leftAt !== undefined && state.leftAt < record.at
    if (returns) state.leftAt = undefined
    // The link of a form confirms nothing for a mailbox that has left.
    if (record.kind === 'assinaturas' || (state.leftAt === undefined && !state.never)) record.confirmed = true
  }

  choose(record: ModelRecord, choice: NewsChoice, at: number): void {
    const state = this.mailbox(record.mailbox)
    if (choice === 'nenhuma' || choice === 'nunca') {
      state.leftAt ??= at
      state.never ||= choice === 'nunca'
      return
    }
    if (state.never || (choice === 'sem-campanha' && record.campaign === undefined)) return
    state.leftAt = undefined
    if (choice === 'todas') state.optOuts.clear()
    else if (record.campaign) state.optOuts.add(record.campaign)
    const isConfirmed = this.records.some(
      ({ mailbox, accepts, confirmed, erased }) => mailbox === record.mailbox && accepts && confirmed && !erased,
    )
    if (!isConfirmed) Object.assign(record, { accepts: true, confirmed: true })
  }
}

/** Presses the button of an e-mail link of the record. Its secret is only in the e-mail, so the test stores another one. */
async function pressLink(action: 'confirmar' | 'remover' | 'descadastrar', { id, email }: ModelRecord, body = {}) {
  const secret = linkSecret()
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt") values ($1, $2, $3, $4, now() + interval '1 day')`,
    [digestOf(secret), action, mailboxHmac(site.addressKey, email), id],
  )
  const response = await fetch(`${site.url}/api/${action === 'remover' ? 'nao-fui-eu' : action}/${secret}`, {
    method: 'POST',
    body: new URLSearchParams(body),
  })
  expect(response.status).toBeLessThan(500)
}

let histories = 0

async function run(steps: Step[]): Promise<void> {
  histories += 1
  await site.empty()
  const model = new Model()
  const news = newsClient(admin, site.rows)
  let prepared: { id: number; campaign: Slug; recipients: ModelRecord[] } | undefined
  for (const [at, action] of steps.entries()) {
    if (action.does === 'add') {
      const { kind, campaign, tag, accepts } = action
      const mailbox = `${mailboxes[action.mailbox]}@example.org`
      const email = mailbox.replace('@', `${tag}@`)
      const isRepeat = model.records.some(
        (other) =>
          !other.erased && other.kind === 'assinaturas' && other.email === email && other.campaign === campaign,
      )
      if (kind === 'assinaturas' && isRepeat) continue
      const { id } = await addPerson(site.rows, {
        kind,
        email,
        campanha: campaign,
        acceptsNews: accepts,
        isConfirmed: false,
      })
      const isSignature = kind === 'assinaturas'
      model.records.push({
        ...{ id, kind, email, mailbox, campaign: isSignature ? campaign : undefined },
        ...{ accepts, confirmed: false, erased: false, at },
      })
    } else if (action.does === 'prepare') {
      const segmento = { tipos: ['assinaturas', 'voluntarios'] }
      const campanha = await campaignId(site.rows, action.campaign)
      const { id } = await news.create({ campanha, segmento, titulo: `Novidade ${histories}.${at}` })
      await news.count(id)
      prepared = {
        id,
        campaign: action.campaign,
        recipients: model.recipients(action.campaign).map((one) => ({ ...one })),
      }
    } else if (action.does === 'publish') {
      if (!prepared) continue
      const { id, campaign } = prepared
      const stillEligible = prepared.recipients
        .filter((chosen) => model.records.some((now) => now.id === chosen.id && model.isEligible(now, campaign)))
        .map(({ email }) => email)
      prepared = undefined
      await site.rows('update enderecos set "newsSentOn" = null')
      smtp.received.length = 0
      await news.publish(await news.read(id))
      await news.until(id, 'done')
      expect(smtp.received.flatMap(({ to }) => to).toSorted()).toEqual(stillEligible.toSorted())
    } else {
      const record = model.records[action.which % Math.max(model.records.length, 1)]
      if (!record || record.erased) continue
      if (action.does === 'confirm') {
        await pressLink('confirmar', record)
        model.confirm(record)
      } else if (action.does === 'choose') {
        await pressLink('descadastrar', record, { escolha: action.choice })
        model.choose(record, action.choice, at)
      } else if (action.does === 'erase') {
        if (record.kind === 'assinaturas') await pressLink('remover', record)
        else await admin.ask('DELETE', `/api/admin/pessoas/${record.kind}/${record.id}`)
        record.erased = true
      } else {
        await site.rows(
          `insert into enderecos ("addressHmac", "rejectedAt") values ($1, now())
          on conflict ("addressHmac") do update set "rejectedAt" = now()`,
          [mailboxHmac(site.addressKey, record.email)],
        )
        model.suppressed.add(record.email)
      }
    }
  }
}

const add = (mailbox: number, fields: Partial<Extract<Step, { does: 'add' }>> = {}): Step => ({
  ...{ does: 'add', kind: 'assinaturas', campaign: 'juros', mailbox, tag: '', accepts: true },
  ...fields,
})
const confirm: Step = { does: 'confirm', which: 0 }
const prepare: Step = { does: 'prepare', campaign: 'juros' }
const publish: Step = { does: 'publish' }
const choose = (choice: NewsChoice): Step => ({ does: 'choose', which: 0, choice })
/** Each reason, also between preparing and sending. */
const examples: [Step[]][] = [
  [[add(0), confirm, add(1), prepare, publish]],
  [[add(0), confirm, prepare, choose('nenhuma'), publish]],
  [[add(0), confirm, prepare, choose('sem-campanha'), publish, choose('todas'), prepare, publish]],
  [[add(0), confirm, prepare, { does: 'erase', which: 0 }, publish]],
  [[add(0), confirm, prepare, { does: 'suppress', which: 0 }, publish]],
  [[add(0), add(0, { kind: 'voluntarios', tag: '+lista' }), confirm, { does: 'confirm', which: 1 }, prepare, publish]],
  [[add(0), choose('nunca'), choose('todas'), confirm, prepare, publish]],
]

const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), run)

test('after a random history, news reach exactly the people who want and may get them', {
  timeout: 120_000,
}, async () => {
  await fc.assert(property, { seed, numRuns: 6 + examples.length, examples, endOnFailure: true })
})

test('after many random histories, news reach exactly the people who want and may get them', {
  tags: ['slow'],
  timeout: 400_000,
}, async () => {
  await fc.assert(property, { seed: seed + 1, numRuns: 60 })
})

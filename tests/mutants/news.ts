// News: who may get them, one e-mail per mailbox, the daily limit, pausing and cancelling.
import type { Mutation } from '#tests/mutants/mutation.ts'

const news = ['tests/http/news.test.ts']
const eligibility = ['tests/http/news-eligibility.test.ts']
const history = 'after a random history'

export const newsMutations: Mutation[] = [
  {
    file: 'db/news-eligibility.ts',
    change: 'unconfirmed people get news',
    find: 'when person."confirmadoEm" is null then',
    replace: 'when false then',
    tests: eligibility,
    title: history,
  },
  {
    file: 'db/news-eligibility.ts',
    change: 'mailboxes that left a campaign get its news',
    find: 'when exists (select from news_opt_outs o where',
    replace: 'when exists (select from news_opt_outs o where false and',
    tests: eligibility,
    title: history,
  },
  {
    file: 'db/news-eligibility.ts',
    change: 'suppressed addresses get news',
    find: 'else address_state."rejectedAt" end is not null then',
    replace: 'end is not null and false then',
    tests: eligibility,
    title: history,
  },
  {
    file: 'outbox/news/send-news.ts',
    change: 'who left after the count still gets the e-mail',
    find: `})} as reason
  from person cross join send`,
    replace: `})} as "formerReason", null as reason
  from person cross join send`,
    tests: eligibility,
    title: history,
  },
  {
    file: 'outbox/news/send-news.ts',
    change: 'a mailbox gets any number of news a day',
    find: `where not \${isAtDailyLimit('enderecos', '$5')}`,
    replace: `where $5::int > 0`,
    tests: news,
    title: 'a mailbox gets one news e-mail a day',
  },
  {
    file: 'outbox/news/send-news.ts',
    change: 'every attempt has a Message-ID of its own',
    find: "hmac.toString('hex').slice(0, 32)}`",
    replace: `hmac.toString('hex').slice(0, 32)}-\${Math.random()}\``,
    tests: news,
    title: 'a retry has the same Message-ID',
  },
  {
    file: 'features/news/preparation.ts',
    change: 'a mailbox is chosen once per record',
    find: 'select $1, mailbox, $3, id',
    replace: 'select $1, sha256(mailbox || uuid_send(id)), $3, id',
    tests: news,
    title: 'a person with two records gets one e-mail',
  },
  {
    file: 'features/news/preparation.ts',
    change: 'preparation starts again after a crash',
    find: 'isResumed && scannedUpTo ? scannedUpTo : beforeAll',
    replace: 'isResumed && scannedUpTo ? beforeAll : beforeAll',
    tests: news,
    title: 'preparation continues where a stopped server left it',
  },
]

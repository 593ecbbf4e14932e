// The text of docs/routes.md: every route of a running site with its access, its limits and its caching.
import type { Policy } from '#server/http/access.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { addNews } from '#tests/helpers/stored-news.ts'
import type { TestSite } from '#tests/helpers/test-site.ts'

const introduction = `# Routes

Generated from the routes of a running site. After a change of routes:
\`UPDATE_DOCS=1 npx vitest run --project http-embedded tests/http/routes-doc.test.ts\`.

Fields and replies of the API are described at \`/api/docs\` (page) and \`/api/openapi.json\` (OpenAPI 3.1).

- **Access**: \`anyone\`; \`link\`, with the secret of an e-mail link in the path; \`administrator\`, with the
  token of a session; \`webhook\`, with \`X-Webhook-Token\`; \`signed\`, with a signature of the
  body; \`operator\`, with \`METRICS_TOKEN\`. Routes that change something refuse requests of other
  sites, except \`link\`, \`webhook\` and \`signed\`. \`recent login\`: the password was
  checked in the last ten minutes.
- **Role**: of the administrators that may call the route. \`coordenacao\` may call all of them.
- **Body**: the largest accepted body. Uploads are multipart forms with an image.
- **Rate limit**: \`forms\` is load shedding and the limit by IP address (decisions 015, 025 and 028).
  \`guesses\` limits requests with a wrong secret. Login also has its own throttle by account and
  network, and reports of browser errors are logged at most 30 times a minute.
- **Cache-Control**: what a reply to \`GET\` says. Replies to other methods are not cached.
- HEAD routes, which Fastify adds to GET routes, and compressed copies of files are omitted. The
  deputy of the site settings decides the name of \`/fulano-cassado\`.
`

/** The least role of administrators that may call the route. */
const roleOf = ({ access, endpoint }: Policy) => (access === 'administrator' ? (endpoint?.role ?? 'coordenacao') : '')

/** Values for path parameters, so that public routes answer with success. */
const sampleParams = { slug: 'juros', uf: 'SP' }

/** Files of the build have names that change with their content, so each folder is one row. */
const shownPath = (url: string) => url.replace(/^(\/(?:assets|icones)\/).+/, '$1*')
const isCompressedCopy = (url: string) => /\.(br|gz)$/.test(url)

const sections: [title: string, has: (policy: Policy) => boolean][] = [
  ['API', ({ url }) => url.startsWith('/api/') && !url.startsWith('/api/admin/')],
  ['API of the admin area', ({ url }) => url.startsWith('/api/admin/')],
  ['Pages and files', ({ url }) => !url.startsWith('/api/')],
]

export async function describeRoutes(site: TestSite, operatorToken: string): Promise<string> {
  const { token } = await enter(site)
  const [image] = await site.rows<{ name: string }>(`select sha256 || '.' || format as name from media limit 1`)
  await addNews(site, { slug: sampleParams.slug })
  const params: Record<string, string> = { ...sampleParams, file: image?.name ?? '' }
  const authorization = { administrator: `Bearer ${token}`, operator: `Bearer ${operatorToken}` }

  async function cacheControlOf({ method, url, access }: Policy): Promise<string> {
    if (method !== 'GET') return ''
    const path = url.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '1')
    const headers = access in authorization ? { authorization: authorization[access as 'operator'] } : {}
    const answer = await fetch(site.url + path, { headers, redirect: 'manual' })
    await answer.body?.cancel()
    // Replies to administrators and holders of a link are never cached, whether they succeed or not.
    const mayFail = access !== 'anyone' || url.includes(':token')
    if (answer.status >= 400 && !mayFail) throw new Error(`${url}: ${answer.status} for the sample ${path}`)
    return answer.headers.get('cache-control') ?? ''
  }

  async function rowOf(policy: Policy): Promise<string> {
    const { method, url, access, endpoint, bodyLimit, uploadLimit, isLimited } = policy
    const shownAccess = endpoint?.recentLogin ? `${access}, recent login` : access
    const takesBody = ['POST', 'PUT', 'PATCH'].includes(method)
    const body = takesBody ? `${(uploadLimit ?? bodyLimit) / 1024} KiB` : ''
    const limit = isLimited ? 'forms' : access === 'webhook' || access === 'signed' ? 'guesses' : ''
    const cells = [
      method,
      `\`${shownPath(url)}\``,
      shownAccess,
      roleOf(policy),
      body,
      limit,
      await cacheControlOf(policy),
    ]
    return `| ${cells.map((cell) => cell || '–').join(' | ')} |`
  }

  const parts = [introduction]
  for (const [title, has] of sections) {
    const listed = site.app.policies.filter(
      (each) => each.method !== 'HEAD' && !isCompressedCopy(each.url) && has(each),
    )
    const byRoute = new Map(listed.map((policy) => [`${shownPath(policy.url)} ${policy.method}`, policy]))
    const rows: string[] = []
    for (const route of [...byRoute.keys()].sort()) rows.push(await rowOf(byRoute.get(route) as Policy))
    parts.push(
      `## ${title}\n`,
      '| Method | Path | Access | Role | Body | Rate limit | Cache-Control |\n|---|---|---|---|---|---|---|',
      `${rows.join('\n')}\n`,
    )
  }
  return parts.join('\n')
}

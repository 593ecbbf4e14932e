// E-mails of news: content, links, escaping, and what differs between recipients.
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { sampleCampaigns } from '#server/db/sample-campaigns.ts'
import { prepareNewsEmail } from '#server/outbox/email/news-email.ts'
import { seed } from '#tests/helpers/random.ts'

const publicUrl = 'https://mobiliza.example.org'
const sha256 = '0123456789abcdef'.repeat(4)
const campaign = { slug: 'juros', titulo: 'Juros baixos já', subtitulo: null, themeColor: 'red', path: '/peticao' }
const news = {
  ...{ id: 7, n: 3, titulo: 'Primeira vitória na comissão!', onPage: true },
  html: '<p>Passou por <strong>nove votos a quatro</strong>. Leia <a href="/p/juros?x=1#texto">o texto</a>.</p>',
  imagem: `/media/${sha256}.webp`,
}
const maria = { nome: 'Maria Fulana', unsubscribeUrl: `${publicUrl}/descadastrar/segredo-da-maria` }
const prepare = (changed: Partial<typeof news> | { n: null; imagem: null } = {}) =>
  prepareNewsEmail({ news: { ...news, ...changed }, campaign, movimento: 'Mobiliza', publicUrl })

const linksIn = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)

describe('the e-mail of a news item', () => {
  const email = prepare()(maria)

  test('has the title as its subject and the beginning of the text as its preview', () => {
    expect(email.subject).toBe(news.titulo)
    expect(email.html).toContain('>Passou por nove votos a quatro. Leia o texto.&#847;')
    expect(email.text).toMatch(/^PRIMEIRA VITÓRIA NA COMISSÃO!\n\nOi, Maria!\n\nPassou por nove votos a quatro\./)
  })

  test('has the origin of the item in every link to the site', () => {
    expect(linksIn(email.html)).toEqual([
      publicUrl,
      `${publicUrl}/p/juros/novidades/3?de=novidade-7`,
      `${publicUrl}/p/juros?x=1&amp;de=novidade-7#texto`,
      `${publicUrl}/peticao?de=novidade-7`,
      `${publicUrl}/p/juros/novidades/3?de=novidade-7`,
      maria.unsubscribeUrl,
      `${publicUrl}/meus-dados`,
    ])
    for (const address of [
      `o texto (${publicUrl}/p/juros?x=1&de=novidade-7#texto)`,
      `Ver a campanha:\n${publicUrl}/peticao?de=novidade-7`,
      `Abrir esta novidade:\n${publicUrl}/p/juros/novidades/3?de=novidade-7`,
      `Escolher que e-mails receber:\n${maria.unsubscribeUrl}`,
    ])
      expect(email.text).toContain(address)
  })

  test('has its image as PNG with a width and the name of the link', () => {
    expect(email.html).toContain(`<img src="${publicUrl}/media/${sha256}.png" alt="Abrir esta novidade" width="506"`)
    const share = prepare({ imagem: `/media/${sha256}.og.jpg` })(maria)
    expect(share.html).toContain(`<img src="${publicUrl}/media/${sha256}.og.jpg"`)
    expect(prepare({ n: null, imagem: null })(maria).html).not.toContain('<img')
  })

  test('has no link to its page if it has none', () => {
    for (const { html, text } of [prepare({ onPage: false })(maria), prepare({ n: null, imagem: null })(maria)])
      expect(html + text).not.toContain('/novidades/')
    expect(prepare({ onPage: false })(maria).html).toContain('alt="Ver a campanha"')
  })

  test('says why the recipient gets it', () => {
    for (const part of [email.html, email.text])
      expect(part).toContain('Você recebe este e-mail porque pediu novidades no site do Mobiliza')
  })

  test('has one line as its subject', () => {
    expect(prepare({ titulo: ' Um\r\nBcc: x@example.org ' })(maria).subject).toBe('Um Bcc: x@example.org')
  })

  test('differs between recipients only in the greeting and the unsubscribe link', () => {
    const write = prepare()
    const [one, other] = [write(maria), write({ nome: 'José Beltrano', unsubscribeUrl: 'https://example.org/outro' })]
    for (const part of ['html', 'text'] as const) {
      expect(one[part]).not.toContain('José')
      expect(other[part]).not.toContain('Maria')
      expect(
        other[part].replace('Oi, José!', 'Oi, Maria!').replace('https://example.org/outro', maria.unsubscribeUrl),
      ).toBe(one[part])
    }
    expect(write({ ...maria, nome: '<b>' }).html).toContain('Oi!')
  })
})

describe('rich text in an e-mail', () => {
  const body = (html: string) => {
    const { html: all } = prepare({ html, imagem: null, n: null } as object)(maria)
    const content = all.slice(
      all.indexOf('Oi, Maria!</p>') + 'Oi, Maria!</p>'.length,
      all.indexOf('<div style="margin:0 0 20px'),
    )
    return content
      .replace(/ style="[^"]*"/g, '')
      .replace(/>\n+/g, '>')
      .trim()
  }

  test.each([
    [
      '<p>Um <b>dois</b> <i>três</i> <u>quatro</u> <s>cinco</s></p>',
      '<p>Um <strong>dois</strong> <em>três</em> <u>quatro</u> <s>cinco</s></p>',
    ],
    ['<h2>A</h2><h3>B</h3><h4>C</h4><hr>', '<h2>A</h2><h3>B</h3><h4>C</h4><hr>'],
    [
      '<ul><li>a<ol><li><p>a1</p></li></ol></li><li>b</li></ul><p>c</p>',
      '<ul><li><p>a</p><ol><li><p>a1</p></li></ol></li><li><p>b</p></li></ul><p>c</p>',
    ],
    ['<blockquote><p>a</p><p>b<br>c</p></blockquote>', '<blockquote><p>a</p><p>b<br>c</p></blockquote>'],
    ['<a href="mailto:a@example.org">a <b>b</b></a>', '<p><a href="mailto:a@example.org">a <strong>b</strong></a></p>'],
    ['<a href="javascript:alert(1)">a</a><a href="data:text/html,x">b</a>', '<p>ab</p>'],
    [
      `<img src="/media/${sha256}.webp" alt="A &quot;foto&quot;" width="200">`,
      `<p><img src="${publicUrl}/media/${sha256}.png" alt="A &quot;foto&quot;" width="200"></p>`,
    ],
    ['<p>a <img src="https://example.net/x.png" alt="foto" onerror="alert(1)"></p>', '<p>a foto</p>'],
    [
      '<p onclick="alert(1)" style="color:red">&lt;script&gt; "a" &amp;amp;</p>',
      '<p>&lt;script&gt; &quot;a&quot; &amp;amp;</p>',
    ],
  ])('%j is written as %j', (html, expected) => {
    expect(body(html)).toBe(expected)
  })

  test('of every sample campaign keeps its words', () => {
    for (const { manifestoHtml } of sampleCampaigns({ slug: 'fulano', nome: 'Fulano de Tal' })) {
      const words = (html: string) => html.replace(/<[^>]*>/g, ' ').match(/[\p{L}\p{N}]+/gu)
      expect(words(body(manifestoHtml))).toEqual(words(manifestoHtml))
    }
  })
})

describe('no input', () => {
  const tags =
    'html head meta title body div table tr td p a h1 h2 h3 h4 ul ol li blockquote strong em u s br hr img'.split(' ')
  const attributes = 'href src alt width style'.split(' ')
  const layoutAttributes = 'lang charset name content role cellpadding cellspacing border bgcolor align'.split(' ')

  /** The elements and attributes of an e-mail; fails if a tag is not closed where it belongs. */
  function parse(html: string) {
    const found = { tags: [] as string[], attributes: [] as string[], addresses: [] as string[] }
    const implied: string[] = []
    new Parser({
      onopentag(name, all) {
        found.tags.push(name)
        for (const [key, value] of Object.entries(all)) {
          found.attributes.push(key)
          if (key === 'href' || key === 'src') found.addresses.push(value)
        }
      },
      onclosetag(name, isImplied) {
        if (isImplied && !['meta', 'br', 'hr', 'img'].includes(name)) implied.push(name)
      },
      oncomment: (text) => void implied.push(text),
    }).end(html)
    expect(implied).toEqual([])
    return found
  }

  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          ...[
            '<',
            '>',
            '"',
            "'",
            '&',
            '&lt;',
            '&quot;',
            '&#0;',
            '&#x27;',
            '-->',
            '<!--',
            ']]>',
            '<![CDATA[',
            '\n',
            ' ',
            'a',
            '=',
          ],
          ...[
            '<script>',
            '</script>',
            '</style>',
            '<p>',
            '</p>',
            '</td>',
            '</table>',
            '</body>',
            '<li>',
            '</ul>',
            '<ol>',
          ],
          ...[
            '<blockquote>',
            '<b>',
            '</a>',
            '<a href="',
            '<a href="/x">',
            "<a href='https://x\"y'>",
            'javascript:alert(1)',
          ],
          ...[
            '<img src="/media/',
            sha256,
            '.webp"',
            ' alt="',
            ' onerror=alert(1)',
            '<svg onload=alert(1)>',
            '<h2>',
            '</h2>',
          ],
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join('')),
  )

  test('of an administrator or a recipient breaks out of the e-mail', () => {
    const checked = fc.property(hostile, hostile, hostile, hostile, (html, titulo, nome, alt) => {
      const email = prepareNewsEmail({
        news: { ...news, html: `${html}<img src="/media/${sha256}.webp" alt="${alt}">`, titulo, imagem: titulo },
        campaign: { ...campaign, titulo, subtitulo: nome },
        movimento: titulo,
        publicUrl,
      })({ nome, unsubscribeUrl: maria.unsubscribeUrl })
      const found = parse(email.html)
      expect(found.tags.filter((tag) => !tags.includes(tag))).toEqual([])
      expect(found.attributes.filter((name) => ![...attributes, ...layoutAttributes].includes(name))).toEqual([])
      expect(found.addresses.filter((address) => !/^(https:\/\/|mailto:)/.test(address))).toEqual([])
      expect(found.tags.filter((tag) => tag === 'table')).toHaveLength(4)
      expect(email.html.endsWith('</body></html>\n')).toBe(true)
    })
    fc.assert(checked, { seed, numRuns: 1_000 })
  })
})

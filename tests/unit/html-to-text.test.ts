// Rich text as plain text and as a WhatsApp message.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginningOf, cutAtWord, htmlToText } from '#server/core/html-to-text.ts'
import { parseRichText } from '#server/core/rich-text-blocks.ts'
import { sentLink } from '#server/core/sent-link.ts'
import { htmlToWhatsApp, maxWhatsAppLength, newsWhatsAppText } from '#server/core/whatsapp-text.ts'
import { sampleCampaigns } from '#server/db/sample-campaigns.ts'
import { seed } from '#tests/helpers/random.ts'

const publicUrl = 'https://mobiliza.example.org'
const resolveLink = (href: string) => sentLink(href, { publicUrl, origin: null })
const lines = (...all: string[]) => all.join('\n')

const both: [promise: string, html: string, text: string, whatsApp?: string][] = [
  ['paragraphs are separated by a blank line', '<p>Um</p>\n<p>Dois</p>', 'Um\n\nDois'],
  [
    'spaces and line ends of the source are one space',
    '<p>  Um\n   dois\t<b> três</b></p>',
    'Um dois três',
    'Um dois *três*',
  ],
  ['entities are characters', '<p>A &amp; B &lt; C &#233; &nbsp;D</p>', 'A & B < C é D'],
  ['a br is a line end', '<p>Um <br/>dois<br>três<br></p>', 'Um\ndois\ntrês'],
  ['a heading stands out', '<h2>O que pedimos</h2><p>Paz</p>', 'O QUE PEDIMOS\n\nPaz', '*O que pedimos*\n\nPaz'],
  [
    'lists have dashes and numbers',
    '<p>Antes</p><ul><li>a</li><li><p>b</p></li></ul><ol><li>x</li><li></li><li>y</li></ol>',
    'Antes\n\n- a\n- b\n\n1. x\n2. y',
  ],
  [
    'lists in lists are indented',
    '<ul><li><p>a</p><ol><li>a1</li><li>a2<br>mais</li></ol></li><li>b<p>c</p></li></ul>',
    lines('- a', '  1. a1', '  2. a2', '     mais', '- b', '', '  c'),
  ],
  [
    'quotes begin with a greater-than sign',
    '<blockquote><p>Um<br>dois</p><ul><li>três</li></ul></blockquote>',
    '> Um\n> dois\n\n> - três',
  ],
  ['a rule is a line', '<p>Um</p><hr><p>Dois</p>', 'Um\n\n———\n\nDois'],
  [
    'an image is its alternative text',
    '<p>Veja<img src="/media/x.webp" alt=" o cartaz ">aqui</p><img src="/y">',
    'Veja o cartaz aqui',
  ],
  [
    'a link has its address behind it',
    '<p>Leia <a href="https://example.org/a_b?c=d&amp;e">o texto </a>hoje.</p>',
    'Leia o texto (https://example.org/a_b?c=d&e) hoje.',
  ],
  ['a link of this site is absolute', '<p><a href="/peticao">Assine</a></p>', `Assine (${publicUrl}/peticao)`],
  [
    'a link whose text is its address is not repeated',
    '<p><a href="https://example.org/">example.org</a>, <a href="mailto:oi@example.org">oi@example.org</a></p>',
    'https://example.org/, oi@example.org',
  ],
  [
    'a link around an image without a text is its address',
    '<a href="https://example.org/x"><img src="/y"></a>',
    'https://example.org/x',
  ],
  [
    'a link that is not allowed is only its text',
    '<p><a href="javascript:alert(1)">a</a> <a href="http://example.org">b</a> <a href="//">c</a> <a>d</a></p>',
    'a b c d',
  ],
  ['text outside of blocks is a paragraph', 'Solto <p>Dentro</p> fim', 'Solto\n\nDentro\n\nfim'],
  ['empty blocks are left out', '<p></p><p> &nbsp;<br></p><h2></h2><ul><li></li></ul><p>Um</p>', 'Um'],
  ['an emoji is kept', '<p><strong>👩‍🌾 Já!</strong></p>', '👩‍🌾 Já!', '*👩‍🌾 Já!*'],
  // Marks of WhatsApp.
  [
    'marks are around the words',
    '<p>É <b>agora </b>ou<i> nunca</i>, <s>talvez</s>.</p>',
    'É agora ou nunca, talvez.',
    'É *agora* ou _nunca_, ~talvez~.',
  ],
  [
    'marks are nested',
    '<p><b>Um <i>dois</i></b> <i>três <b>quatro</b></i></p>',
    'Um dois três quatro',
    '*Um _dois_* _três_ *_quatro_*',
  ],
  ['marks do not cross', '<b>um <i>dois</b> três</i>', 'um dois três', '*um _dois_* três'],
  ['marks end at the line', '<p><b>Um<br>dois</b></p>', 'Um\ndois', '*Um*\n*dois*'],
  [
    'a part of a word has no mark',
    '<p>in<b>crível</b> <i>foi</i>ção <b>um</b><i>dois</i></p>',
    'incrível foição umdois',
  ],
  ['punctuation may be beside a mark', '<p>(<b>sim</b>), "<i>não</i>"!</p>', '(sim), "não"!', '(*sim*), "_não_"!'],
  ['text with the sign of a mark has no such mark', '<p><b>5* <i>hotel</i></b></p>', '5* hotel', '5* _hotel_'],
  [
    'signs in the text are left as they are',
    '<p>2 * 3 * 4, a_b_c, ~ `x` - &gt; y</p>',
    '2 * 3 * 4, a_b_c, ~ `x` - > y',
  ],
  [
    'an address has no mark',
    '<p><b>Leia <a href="/a_b_">já</a></b></p>',
    `Leia já (${publicUrl}/a_b_)`,
    `*Leia já* (${publicUrl}/a_b_)`,
  ],
  ['empty styled text has no mark', '<p>Um<b> </b>dois<i></i></p>', 'Um dois'],
  ['underlined text has no mark', '<p><u>Um</u></p>', 'Um'],
  // Hostile input.
  ['the content of scripts is left out', '<p>a</p><script>alert("<p>x")</script><style>p{}</style><p>b</p>', 'a\n\nb'],
  ['an unclosed script ends the text', '<p>a<script>alert(1)', 'a'],
  ['unclosed tags end with the text', '<ul><li>um<li><b>dois', '- um\n- dois', '- um\n- *dois*'],
  ['closing tags without an opening tag are ignored', '</ul></li></b></blockquote>um</h2>', 'um'],
  ['unknown tags are ignored', '<table><tr><td><font color=red>um</font></td></tr></table>', 'um'],
  ['an item outside of a list has a dash', '<li>um</li>', '- um'],
  ['incomplete tags are text', 'a < b <p', 'a < b p'],
]

describe('plain text', () => {
  test.each(both)('%s', (_, html, text) => {
    expect(htmlToText(html, resolveLink)).toBe(text)
  })

  test('the beginning of a text is one line without addresses, cut at a word', () => {
    const html = '<h2>O pedido</h2><p>Leia <a href="/x">a carta</a><br>da <b>praça</b> central</p>'
    expect(beginningOf(html, 100)).toBe('O pedido Leia a carta da praça central')
    expect(beginningOf(html, 30)).toBe('O pedido Leia a carta da…')
  })

  test.each([
    ['cabe', 4, 'cabe'],
    ['um dois três', 11, 'um dois…'],
    ['um, dois', 6, 'um…'],
    ['abcdefghij', 5, 'abcd…'],
    ['abc😀defgh', 5, 'abc…'],
  ])('%j cut to %i characters is %j', (text, length, expected) => {
    expect(cutAtWord(text, length)).toBe(expected)
  })
})

describe('WhatsApp text', () => {
  test.each(both)('%s', (_, html, text, whatsApp = text) => {
    expect(htmlToWhatsApp(html, resolveLink)).toBe(whatsApp)
  })

  const link = `${publicUrl}/p/juros/novidades/3?de=novidade-7`

  test('a news item has its title in bold, its text and its link', () => {
    const html = '<p>Passou na <strong>comissão</strong>. <a href="/peticao#assinar">Assine</a></p>'
    expect(newsWhatsAppText({ titulo: ' Primeira\nvitória!', html, link })).toBe(
      lines(
        '*Primeira vitória!*',
        '',
        `Passou na *comissão*. Assine (${publicUrl}/peticao?de=novidade-7#assinar)`,
        '',
        link,
      ),
    )
    expect(newsWhatsAppText({ titulo: '5* para nós', html: '', link })).toBe(`5* para nós\n\n${link}`)
  })

  test('a long text ends after a paragraph, and not after a heading', () => {
    const paragraph = `<p>${'Na praça tem gente. '.repeat(18)}</p>`
    const html = `${paragraph}${paragraph}<h2>Depois</h2>${paragraph}`
    const text = newsWhatsAppText({ titulo: 'Na praça', html, link })
    expect(text.endsWith(`tem gente.\n\n…\n\n${link}`)).toBe(true)
    expect(text).not.toContain('Depois')
    expect(text.split('\n\n')).toHaveLength(5)
  })

  test('a long first paragraph ends at a word, with its marks closed', () => {
    const html = `<p>Um <b>${'palavra '.repeat(5_000)}</b></p>`
    const text = newsWhatsAppText({ titulo: 'Na praça', html, link })
    expect(text).toMatch(/^\*Na praça\*\n\nUm \*(palavra )+palavra…\*\n\nhttps/)
    expect(text.length).toBeLessThanOrEqual(maxWhatsAppLength)
    expect(text.length).toBeGreaterThan(maxWhatsAppLength - 50)
  })

  test('every text of a campaign fits', () => {
    for (const { titulo, manifestoHtml: html } of sampleCampaigns({ slug: 'fulano', nome: 'Fulano de Tal' })) {
      const text = newsWhatsAppText({ titulo, html, link })
      expect(text.length).toBeLessThanOrEqual(maxWhatsAppLength)
      expect(text.length).toBeGreaterThan(600)
      expect(text).not.toMatch(/<|&\w+;/)
    }
  })
})

describe('large and hostile input', () => {
  const size = 40_000
  const fill = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size)
  const inputs = [
    ...[
      '<b>',
      '<ul><li>',
      '<ul><li>a',
      '<blockquote>a',
      '<p>',
      '<p><b><i>',
      '<a href="/x">a',
      '<li>',
      '</b>',
      '<b>a</i>',
    ],
    ...['<', '&', '&amp;', '<!--', '<b a="', 'a ', '\u00a0', '*a*_b_', '<b>a</b> ', '<i>*</i>_', '<img alt=a>', '<br>'],
  ].map(fill)

  // The limit of a test is far above the time of a text whose cost grows with its length, and far below that of one whose
  // cost grows with the square.
  test('of the greatest length is written within the limit of a test', () => {
    for (const html of inputs) {
      const all = [htmlToText(html, resolveLink), htmlToWhatsApp(html, resolveLink), beginningOf(html, 200)]
      for (const text of all) expect(text.length).toBeLessThan(50 * size)
      newsWhatsAppText({ titulo: 'a', html, link: publicUrl })
    }
  })

  const tag = fc.constantFrom(
    ...['p', 'h2', 'ul', 'ol', 'li', 'blockquote', 'b', 'i', 's', 'u', 'hr', 'br', 'script', 'td'].flatMap((name) => [
      `<${name}>`,
      `</${name}>`,
    ]),
    ...['<a href="/x">', '</a>', '<img src="/media/x" alt="foto">', ' ', '*', '_', '&lt;b&gt;', 'palavra', 'é ', '\n'],
  )

  test('any tags give a text without repeated blank lines and spaces at its ends', () => {
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 40 }), (tags) => {
        for (const text of [htmlToText(tags.join(''), resolveLink), htmlToWhatsApp(tags.join(''), resolveLink)]) {
          expect(text).not.toMatch(/\n{4}|[ \n]$|^\n/)
          expect(text).not.toMatch(/<(?!b>)/i)
        }
      }),
      { seed, numRuns: 2_000 },
    )
  })

  test('the words of plain text and of a WhatsApp text are the same', () => {
    const letters = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 40 }), (tags) => {
        const html = tags.join('')
        expect(letters(htmlToWhatsApp(html, resolveLink))).toEqual(letters(htmlToText(html, resolveLink)))
        expect(parseRichText(html).every(({ containers }) => containers.length <= 12)).toBe(true)
      }),
      { seed, numRuns: 2_000 },
    )
  })
})

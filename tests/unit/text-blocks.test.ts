import { expect, test } from 'vitest'
import { textBlocks } from '#server/adapters/delivery-pdf/text-blocks.ts'

test('a manifesto becomes headings, paragraphs, quotes, bullets and numbered items in plain text', () => {
  const html =
    '<p>Um &amp; <strong>dois</strong><br />três</p><h2>Título</h2><ul><li>a</li><li><p>b</p><ol><li>b1</li></ol></li></ul>' +
    '<ol><li>x</li><li>y</li></ol><blockquote><p>Dito</p></blockquote><hr /><p><img src="/media/a.webp" alt="" /></p>Solto'
  expect(textBlocks(html)).toEqual([
    { kind: 'paragraph', text: 'Um & dois\ntrês' },
    { kind: 'heading', text: 'Título' },
    { kind: 'item', text: 'a', mark: '•' },
    { kind: 'item', text: 'b', mark: '•' },
    { kind: 'item', text: 'b1', mark: '1.' },
    { kind: 'item', text: 'x', mark: '1.' },
    { kind: 'item', text: 'y', mark: '2.' },
    { kind: 'quote', text: 'Dito' },
    { kind: 'paragraph', text: 'Solto' },
  ])
})

// The HTML around a page, whatever its title and its state hold.
import { expect, test } from 'vitest'
import { escapeHtml, scriptSafe } from '#server/ssr/document.ts'

test('a text cannot end the attribute or the element that it stands in', () => {
  expect(escapeHtml('"><script>&')).toBe('&quot;&gt;&lt;script&gt;&amp;')
})

test('a state cannot end its script, and is read back as it was', () => {
  const state = { titulo: '</script><!-- <script>' }
  const json = scriptSafe(JSON.stringify(state))
  expect(json).not.toContain('<')
  expect(JSON.parse(json)).toEqual(state)
})

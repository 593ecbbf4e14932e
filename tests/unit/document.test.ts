import { expect, test } from 'vitest'
import { escapeHtml } from '#server/core/escape-html.ts'
import { scriptSafe } from '#server/ssr/document.ts'

test('an escaped text cannot end its attribute or element', () => {
  expect(escapeHtml('"><script>&')).toBe('&quot;&gt;&lt;script&gt;&amp;')
})

test('a state cannot end its script and is parsed unchanged', () => {
  const state = { titulo: '</script><!-- <script>' }
  const json = scriptSafe(JSON.stringify(state))
  expect(json).not.toContain('<')
  expect(JSON.parse(json)).toEqual(state)
})

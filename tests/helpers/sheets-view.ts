import type { SheetTabs } from '#tests/helpers/sheet-tabs.ts'

const maxRows = 200

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeHtml = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? character)

export function drawTabs(tabs: SheetTabs): string {
  const tables = tabs.all().map(({ title, rows }) => {
    const [head = [], ...rest] = rows.map((row) => row.map(({ text }) => text))
    const tableRow = (cells: string[], tag: string) =>
      `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
    const latest = rest.slice(-maxRows).map((row) => tableRow(row, 'td'))
    return `<h2>${escapeHtml(title)} (${rest.length})</h2><table>${tableRow(head, 'th')}${latest.join('')}</table>`
  })
  return `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><meta http-equiv="refresh" content="5">
<title>Planilha de desenvolvimento</title>
<style>body{font:14px sans-serif}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:2px 6px;text-align:left}</style>
<h1>Planilha de desenvolvimento</h1>${tables.join('') || '<p>Ainda vazia.</p>'}</html>`
}

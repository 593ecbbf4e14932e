// Renders the OpenAPI document as one page without scripts.
import { hash } from 'node:crypto'
import { escapeHtml } from '#server/core/escape-html.ts'
import type { JsonSchema, OpenApi, Operation } from '#server/features/api-docs/openapi.ts'
import { schemaInWords } from '#server/features/api-docs/schema-in-words.ts'

const style = `
:root{color-scheme:light;--red:#c4122f;--ink:#1d1a16;--line:#e6dac4}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.25rem 1rem 4rem;background:#fff8ec;color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:.5rem 0;line-height:1.15}
h2{margin:3rem 0 1rem;border-bottom:3px solid var(--red);padding-bottom:.25rem}
h3{margin:0;font-size:1rem;font-weight:400}
a{color:var(--red)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;list-style:none}
nav a{display:inline-block;padding:.4rem 0}
article{margin:0 0 1rem;padding:1rem;background:#fff;border:1px solid var(--line);border-radius:.5rem}
article p{margin:.5rem 0}
h4{margin:.75rem 0 .25rem;font-size:.875rem}
b{display:inline-block;min-width:4.5em;margin-right:.5rem;padding:.1rem .5rem;border-radius:.25rem;background:var(--ink);color:#fff;font-size:.8rem;text-align:center}
b.get{background:#14603a}
b.delete{background:var(--red)}
.who{color:#5a5146;font-size:.9rem}
ul.fields{margin:0;padding:0;list-style:none}
ul.fields li{padding:.3rem 0;border-top:1px solid var(--line)}
ul.fields code{font-weight:600}
summary{padding:.4rem 0;cursor:pointer}
:focus-visible{outline:3px solid var(--red);outline-offset:2px}
`
export const pageStyleHash = `sha256-${hash('sha256', style, 'base64')}`

export function renderPage({ info, tags, paths, components }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const anchorOf = (name: string) => `area-${tags.findIndex((tag) => tag.name === name)}`
  const sections = tags.map(({ name }) => {
    const articles = operations.filter(({ operation }) => operation.tags.includes(name)).map(renderOperation)
    return `<section id="${anchorOf(name)}"><h2>${escapeHtml(name)}</h2>${articles.join('')}</section>`
  })
  const links = tags.map(({ name }) => `<li><a href="#${anchorOf(name)}">${escapeHtml(name)}</a></li>`)
  const title = escapeHtml(info.title)
  return [
    '<!doctype html><html lang="pt-BR"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><meta name="robots" content="noindex">`,
    `<link rel="icon" href="/favicon.svg" type="image/svg+xml"><style>${style}</style></head><body>`,
    `<header><p><a href="/">Ir para o site</a></p><h1>${title}</h1><p>${escapeHtml(info.description)}</p>`,
    '<p>O mesmo em <a href="/api/openapi.json">OpenAPI 3.1</a>.</p></header>',
    `<nav aria-label="Áreas"><ul>${links.join('')}<li><a href="#recusas">Recusas</a></li></ul></nav><main>`,
    ...sections,
    '<section id="recusas"><h2>Recusas</h2><article><p>O corpo de toda recusa:</p>',
    `${fieldList(fieldsOf(components.schemas.Refusal))}</article></section></main></body></html>`,
  ].join('')
}

function renderOperation({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const given = parameters.map(({ name, required, schema, in: place }) =>
    field(name, schema, { required, note: place === 'path' ? 'no endereço' : 'depois de ?' }),
  )
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [[status, reply] = []] = Object.entries(responses)
  const [replyType, replyBody] = Object.entries((reply && 'content' in reply && reply.content) || {})[0] ?? []
  const replied = fieldsOf(replyBody?.schema ?? {})
  return [
    `<article id="${operationId}"><h3><b class="${method}">${method.toUpperCase()}</b><code>${escapeHtml(path)}</code></h3>`,
    `<p>${escapeHtml(summary)}</p><p class="who">${escapeHtml(description)}</p>`,
    given.length > 0 && `<h4>Parâmetros</h4>${fieldList(given)}`,
    body && `<h4>Corpo (${escapeHtml(String(type))})</h4>${fieldList(fieldsOf(body.schema))}`,
    replied.length > 0
      ? `<details><summary>Resposta ${status}</summary>${fieldList(replied)}</details>`
      : `<p>Resposta ${status}${replyType ? `: ${escapeHtml(replyType)}` : ', sem corpo'}</p>`,
    '</article>',
  ]
    .filter(Boolean)
    .join('')
}

const fieldList = (fields: string[]) => `<ul class="fields">${fields.join('')}</ul>`

function field(name: string, schema: JsonSchema, { required = false, note = '' } = {}): string {
  const facts = [schemaInWords(schema), note, !required && 'opcional'].filter(Boolean).join(' · ')
  return `<li><code>${escapeHtml(name)}</code> ${escapeHtml(facts)}</li>`
}

/** Fields of an object; those of nested objects as `pai.filho`, of lists as `pai[].filho`. */
function fieldsOf(schema: JsonSchema, prefix = '', isNested = false): string[] {
  const { properties, required = [], items } = withoutNull(schema)
  if (items) return fieldsOf(items as JsonSchema, `${prefix}[]`, true)
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const path = isNested ? `${prefix}.${name}` : name
    const child = property as JsonSchema
    return [field(path, child, { required: required.includes(name) }), ...fieldsOf(child, path, true)]
  })
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const [only, ...others] = (schema.anyOf ?? []).filter((option) => (option as JsonSchema).type !== 'null')
  return only && others.length === 0 ? (only as JsonSchema) : schema
}

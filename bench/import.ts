// Time to import a hundred thousand signatures from a CSV file.
import { setTimeout as delay } from 'node:timers/promises'
import { guessMapping } from '#contract/admin/people-import.ts'
import type { Measure } from './report.ts'
import type { Stage } from './stage.ts'

const password = 'senha-do-banco-de-provas'
const columns = ['Nome', 'E-mail', 'WhatsApp', 'Cidade', 'Estado', 'Aceita novidades']

const listOf = (rows: number) =>
  [
    columns.join(';'),
    ...Array.from(
      { length: rows },
      (_, n) =>
        `Fulano de Tal ${n};importado-${n}@example.org;(00) 00000-0000;Cidade Exemplo;SP;${n % 2 ? 'sim' : 'não'}`,
    ),
  ].join('\r\n')

export async function benchImport(stage: Stage): Promise<Measure[]> {
  const rows = stage.scale.people.signatures / 10
  const database = await stage.createDatabase('import')
  const site = await stage.startSite({ env: { DATABASE_URL: database.url, ADMIN_PASSWORD: password } })
  const login = await fetch(`${site.url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  const headers = { authorization: `Bearer ${((await login.json()) as { token: string }).token}` }
  async function ask<Reply>(path: string, init: RequestInit = {}): Promise<Reply> {
    const answer = await fetch(`${site.url}/api/admin/importacoes${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Reply
  }

  const form = new FormData()
  form.set('tipo', 'assinaturas')
  form.set('nome', 'lista.csv')
  form.set('arquivo', new Blob([listOf(rows)]), 'lista.csv')
  const sentAt = performance.now()
  const { id } = await ask<{ id: number }>('', { method: 'POST', body: form })
  const startedAt = performance.now()
  await ask(`/${id}/iniciar`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      mapeamento: guessMapping('assinaturas', columns),
      ...{ campanha: 'juros', origem: 'bench', baseLegal: 'lista fictícia da medição', declaraNovidades: false },
    }),
  })
  for (;;) {
    const { importacao } = await ask<{ importacao: { status: string; aceitas: number } }>(`/${id}`)
    if (importacao.status === 'running') {
      await delay(200)
      continue
    }
    if (importacao.aceitas !== rows) throw new Error(`${importacao.status}: ${importacao.aceitas} of ${rows}`)
    break
  }
  const endedAt = performance.now()
  const label = `${rows.toLocaleString('en')} rows`
  return [
    { name: `Upload and reading of ${label}`, unit: 's', figure: (startedAt - sentAt) / 1_000 },
    {
      ...{ name: `Import of ${label}, with upload`, unit: 's', figure: (endedAt - sentAt) / 1_000 },
      bar: { of: 'figure', atMost: 60 },
    },
  ]
}

// Reports an error of our own scripts to the server's log: name and place, never a message, which may quote what was typed.
import { browserErrorPath } from '#contract/browser-error-path.ts'
import type { reportBrowserError } from '#contract/browser-errors.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { fetchFromBrowser } from '#web/api/client.ts'

/** One broken page may fail again and again. */
const mostReports = 3
let reports = 0

export function sendReport(error: unknown, rota: string): void {
  const { name = 'Error', message = '', stack = '' } = (error ?? {}) as Partial<Error>
  // The first line of ours: the top may be the browser's, or an extension's.
  const ours = stack.split(`${location.origin}/assets/`)[1] ?? ''
  const [, file, linha, coluna] = /^([\w.-]+\.js):(\d+):(\d+)/.exec(ours) ?? []
  if (!file || reports++ >= mostReports) return
  const [, number] = /^Minified React error #(\d+)/.exec(message) ?? []
  const body: BodyOf<typeof reportBrowserError> = {
    nome: number ? `React#${number}` : name,
    arquivo: `/assets/${file}`,
    linha: Number(linha),
    coluna: Number(coluna),
    rota,
    versao: document.documentElement.dataset.versao ?? '',
  }
  fetchFromBrowser({ method: 'POST', path: browserErrorPath, body }).catch(() => {})
}

import { browserErrorPath } from '#contract/browser-error-path.ts'
import type { reportBrowserError } from '#contract/browser-errors.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { fetchFromBrowser } from '#web/api/client.ts'

/** A broken page may fail repeatedly. */
const maxReports = 3
let reports = 0

/** Sends the name and position of an error, never its message: that may contain what the user typed. */
export function sendReport(error: unknown, rota: string): void {
  const { name = 'Error', message = '', stack = '' } = (error ?? {}) as Partial<Error>
  // The first stack frame in our scripts. Frames above it may belong to the browser or to an extension.
  const ownFrame = stack.split(`${location.origin}/assets/`)[1] ?? ''
  const [, file, linha, coluna] = /^([\w.-]+\.js):(\d+):(\d+)/.exec(ownFrame) ?? []
  if (!file || reports++ >= maxReports) return
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

// Headers that keep answers what they are: those of every answer, and those that only a page in a window can use.
import type { App } from '#server/http/mount.ts'

export interface PagePolicy {
  /** The hash of the page's own inlined sheet. */
  style: string
  /** The one origin that the page may show in a frame. */
  frames?: string | undefined
  /** Whether others may show the page in a frame. */
  framable?: boolean | undefined
  /** Whether the page has no scripts. */
  scriptless?: boolean | undefined
}

/** A document that may load only what is ours. */
export function pagePolicy({ style, frames, framable, scriptless }: PagePolicy): string {
  return [
    "default-src 'none'",
    // A frame still tells its height to the page around it.
    ...(scriptless && !framable ? [] : ["script-src 'self'"]),
    `style-src '${style}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    ...(frames ? [`frame-src ${frames}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    // Left out rather than `*`, which shuts out pages opened from a file and sandboxed ones.
    ...(framable ? [] : ["frame-ancestors 'none'"]),
    "require-trusted-types-for 'script'",
    'trusted-types mobiliza',
  ].join('; ')
}

/** The admin area and the preview in it: the same, with sheets from files and pictures that the browser itself holds. */
function areaPolicy(...more: string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    ...more,
  ].join('; ')
}

export const adminPolicy = areaPolicy(
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  // The manifesto's editor reads what is pasted through a policy of its own.
  'trusted-types mobiliza ProseMirrorClipboard',
)

/** Shows what the form around it says, and can neither ask nor send anything. */
export const previewPolicy = areaPolicy("frame-ancestors 'self'", 'trusted-types mobiliza')

/** What only a document obeys: data and files are spared the bytes. */
export const documentHeaders = {
  // Links open at once: the browser fetches and draws the next page while the finger is still on it.
  'Speculation-Rules': '"/navegacao.json"',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
}

export function securityHeaders(publicUrl: string): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  }
  if (publicUrl.startsWith('https:')) headers['Strict-Transport-Security'] = 'max-age=31536000'
  return headers
}

/** On every answer that the framework sends, unless it has its own; what goes straight to the socket carries them already. */
export function addSecurityHeaders(app: App): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    for (const [name, value] of Object.entries(app.commonHeaders)) if (!reply.hasHeader(name)) reply.header(name, value)
    done(null, payload)
  })
}

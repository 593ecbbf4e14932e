// Security headers: those of every response, and those that browsers apply only to documents.
import type { App } from '#server/http/mount.ts'

interface PagePolicy {
  /** Hash of the inlined style sheet. */
  style: string
  /** The only external origin that the page may show in a frame. */
  frames?: string | undefined
  /** Any site may show the page in a frame. */
  framable?: boolean | undefined
  /** The page works without scripts and loads none. */
  scriptless?: boolean | undefined
}

/** Content-Security-Policy of a public page: it may load only files of this site. */
export function pagePolicy({ style, frames, framable, scriptless }: PagePolicy): string {
  return [
    "default-src 'none'",
    // A framable page always loads one script: it reports the height to the page around it.
    ...(scriptless && !framable ? [] : ["script-src 'self'"]),
    `style-src '${style}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    ...(frames ? [`frame-src ${frames}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    // Omitted instead of `*`, which would exclude local files and sandboxed pages.
    ...(framable ? [] : ["frame-ancestors 'none'"]),
    "require-trusted-types-for 'script'",
    'trusted-types mobiliza',
  ].join('; ')
}

/** Policy of the admin area and its preview: style sheets are files, and images may be in the browser's memory. */
function adminAreaPolicy(...directives: string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    ...directives,
  ].join('; ')
}

export const adminPolicy = adminAreaPolicy(
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  // The manifesto editor parses pasted content through its own Trusted Types policy.
  'trusted-types mobiliza ProseMirrorClipboard',
)

/** The preview renders the values of the form around it. Without `connect-src` it cannot call the API. */
export const previewPolicy = adminAreaPolicy("frame-ancestors 'self'", 'trusted-types mobiliza')

/** Browsers apply these headers only to documents. Data and files omit them to save bytes. */
export const documentHeaders = {
  // The browser loads and renders the next page while the pointer is still down on the link, so links open at once.
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

/** Adds the common headers to responses of Fastify, unless already set. Responses that bypass Fastify contain them. */
export function addSecurityHeaders(app: App): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    for (const [name, value] of Object.entries(app.commonHeaders)) if (!reply.hasHeader(name)) reply.header(name, value)
    done(null, payload)
  })
}

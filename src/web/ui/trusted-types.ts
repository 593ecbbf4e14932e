// The only Trusted Types policy of the site: for stored HTML and for the URL of the service worker.
interface Rules {
  createHTML(html: string): string
  createScriptURL(url: string): string
}

const rules: Rules = { createHTML: (html) => html, createScriptURL: (url) => url }
const policy =
  (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Rules } }).trustedTypes?.createPolicy(
    'mobiliza',
    rules,
  ) ?? rules

export const trustedHtml = (html: string) => policy.createHTML(html)
export const trustedScriptUrl = (url: string) => policy.createScriptURL(url)

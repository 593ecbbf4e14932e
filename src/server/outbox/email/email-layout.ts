// Renders an e-mail as HTML and as plain text. Both come from the same blocks, so their content is always the same.

import { ownDataPath } from '#contract/own-data.ts'
import {
  displayFont as display,
  green,
  ink,
  linkColor,
  paper,
  plainFont as plain,
  themeColors,
  white,
  yellow,
} from '#server/outbox/email/email-colors.ts'

interface Link {
  label: string
  href: string
}

export type Block =
  | { kind: 'text' | 'small'; text: string }
  /** The subject of the e-mail, for instance the campaign, in a box. */
  | { kind: 'quote'; title: string; text: string | null }
  | { kind: 'button' | 'whatsapp'; link: Link }
  | { kind: 'links'; text: string; links: Link[] }
  /** A linked image, which is not part of the plain text. */
  | { kind: 'image'; src: string; alt: string; href: string }
  /** HTML without any unescaped input, and the same as plain text. */
  | { kind: 'html'; html: string; text: string }

export interface EmailContent {
  subject: string
  /** Text that mail programs show after the subject in lists. */
  preview: string
  title: string
  theme: string
  blocks: Block[]
}

/** The footer of every e-mail. */
interface Footer {
  movimento: string
  siteUrl: string
  /** Absent in e-mails to administrators about their account. */
  unsubscribeUrl?: string | undefined
  /** Why the recipient gets the e-mail. Default: the address was used on the site. */
  why?: string
}

const footerText = ({ movimento, why }: Footer) =>
  why ?? `Você recebeu este e-mail porque o seu endereço foi usado no site do ${movimento}.`
const unsubscribeLabel = 'Escolher que e-mails receber'
const ownDataLabel = 'Ver, corrigir ou apagar meus dados'

/** The width of images in pixels, for mail programs that ignore the maximum width. */
export const contentWidth = 506

export function renderText({ title, blocks }: EmailContent, footer: Footer): string {
  const { siteUrl, unsubscribeUrl } = footer
  const paragraphs = blocks.map((block) => {
    switch (block.kind) {
      case 'quote':
        return [block.title, block.text].filter(Boolean).join('\n')
      case 'button':
      case 'whatsapp':
        return withAddress(block.link)
      case 'links':
        return [block.text, ...block.links.map(withAddress)].join('\n')
      case 'image':
        return ''
      default:
        return block.text
    }
  })
  const links = footerLinks({ siteUrl, unsubscribeUrl }).map((link) => `\n${withAddress(link)}`)
  const end = `${footerText(footer)}\n${siteUrl}${links.join('')}`
  return `${[title.toUpperCase(), ...paragraphs, `-- \n${end}`].filter(Boolean).join('\n\n')}\n`
}

/** Breaks long words and addresses, which would make the e-mail wider than a phone. */
const wraps = 'overflow-wrap:anywhere;word-break:break-word'
const longTitle = 60

/** Of e-mails to people. Administrators get none about their account. */
const footerLinks = ({ siteUrl, unsubscribeUrl }: Pick<Footer, 'siteUrl' | 'unsubscribeUrl'>): Link[] =>
  unsubscribeUrl
    ? [
        { label: unsubscribeLabel, href: unsubscribeUrl },
        { label: ownDataLabel, href: siteUrl + ownDataPath },
      ]
    : []

const withAddress = ({ label, href }: Link) => `${label}:\n${href}`

export function renderHtml(content: EmailContent, footer: Footer): string {
  const { movimento, siteUrl, unsubscribeUrl } = footer
  const { subject, preview, title, theme, blocks } = content
  const { background, color, sticker } = themeColors(theme)
  return `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light"><meta name="supported-color-schemes" content="light"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:0;background:${paper};color:${ink}">
<div style="display:none;max-height:0;overflow:hidden">${escaped(preview)}${'&#847; &zwnj; '.repeat(20)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${paper}"><tr><td align="center" style="padding:16px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;border:3px solid ${ink};border-collapse:separate;background:${white}">
<tr><td bgcolor="${background}" style="padding:20px 24px 24px;border-bottom:3px solid ${ink}">
<p style="margin:0 0 14px"><a href="${escaped(siteUrl)}" style="display:inline-block;padding:3px 10px;border:3px solid ${ink};background:${sticker};color:${ink};font:900 16px/1.3 ${display};text-transform:uppercase;text-decoration:none">${escaped(movimento)}</a></p>
<h1 style="margin:0;color:${color};font:900 ${title.length > longTitle ? 24 : 32}px/1.2 ${display};text-transform:uppercase;${wraps}">${escaped(title)}</h1>
</td></tr>
<tr><td style="padding:24px 24px 8px;font:400 17px/1.55 ${plain};color:${ink};${wraps}">
${blocks.map((block) => blockHtml(block, background)).join('\n')}
</td></tr></table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px"><tr><td style="padding:16px 8px 24px;font:400 14px/1.5 ${plain};color:${ink}">
${escaped(footerText(footer))}${footerLinks({ siteUrl, unsubscribeUrl })
  .map(({ label, href }) => `<br>\n<a href="${escaped(href)}" style="color:${linkColor}">${label}</a>`)
  .join('')}
</td></tr></table>
</td></tr></table>
</body></html>
`
}

function blockHtml(block: Block, background: string): string {
  switch (block.kind) {
    case 'text':
      return `<p style="margin:0 0 16px">${escaped(block.text)}</p>`
    case 'small':
      return `<p style="margin:0 0 16px;font-size:15px">${escaped(block.text)}</p>`
    case 'quote':
      return `<div style="margin:0 0 20px;padding:12px 16px;border-left:6px solid ${background};background:${paper}"><strong style="font-size:19px;line-height:1.3">${escaped(block.title)}</strong>${
        block.text ? `<br>${escaped(block.text)}` : ''
      }</div>`
    case 'button':
      return button(block.link, {
        background: yellow,
        color: `${ink};font:900 20px/1.2 ${display};text-transform:uppercase`,
      })
    case 'whatsapp':
      return button(block.link, { background: green, color: `${white};font:800 17px/1.2 ${plain}` })
    case 'image':
      return `<p style="margin:0 0 20px"><a href="${escaped(block.href)}" style="color:${linkColor}"><img src="${escaped(block.src)}" alt="${escaped(block.alt)}" width="${contentWidth}" style="display:block;width:100%;max-width:${contentWidth}px;height:auto;border:0"></a></p>`
    case 'html':
      return block.html
    case 'links':
      return `<p style="margin:0 0 16px">${escaped(block.text)}<br>${block.links.map(anchor).join(' ')}</p>`
  }
}

function button({ label, href }: Link, { background, color }: { background: string; color: string }): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px"><tr><td bgcolor="${background}" style="border:3px solid ${ink};border-right-width:6px;border-bottom-width:6px"><a href="${escaped(href)}" style="display:inline-block;padding:14px 22px;color:${color};text-decoration:none">${escaped(label)}</a></td></tr></table>`
}

function anchor({ label, href }: Link): string {
  return `<a href="${escaped(href)}" style="display:inline-block;margin-right:16px;color:${linkColor};font-weight:700;line-height:2.2">${escaped(label)}</a>`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}

// Reads bounces and complaints from the bodies that e-mail providers send. Other events are left out.
import type { SuppressionKind } from '#contract/admin/suppressions.ts'
import { emailWebhookMessages } from '#contract/email-webhook.ts'
import { withoutAddresses } from '#server/adapters/mail.ts'
import { AppError } from '#server/core/errors.ts'

export interface EmailEvent {
  kind: Exclude<SuppressionKind, 'recusa'>
  email: string
  detail: string | null
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectIn = (value: Json, name: string): Json => {
  const inner = value[name]
  return isObject(inner) ? inner : {}
}
const textIn = (value: Json, name: string): string => {
  const inner = value[name]
  return typeof inner === 'string' ? inner : ''
}

export function eventsOf(body: unknown): EmailEvent[] {
  const items = Array.isArray(body) ? body : [body]
  if (!items.every(isObject)) throw new AppError('invalid', emailWebhookMessages.json)
  return items.flatMap((item) => {
    if ('tipo' in item) return ownEvent(item)
    if ('event-data' in item) return mailgunEvent(objectIn(item, 'event-data'))
    return resendEvent(item)
  })
}

function ownEvent(item: Json): EmailEvent[] {
  const { tipo } = item
  if (tipo !== 'devolucao' && tipo !== 'reclamacao') return []
  const events = eventFor(tipo, item.email, textIn(item, 'detalhe'))
  if (events.length === 0) throw new AppError('invalid', emailWebhookMessages.email)
  return events
}

/** A temporary failure says nothing about the address. */
function mailgunEvent(data: Json): EmailEvent[] {
  const event = textIn(data, 'event')
  if (event === 'complained') return eventFor('reclamacao', data.recipient, '')
  if (event !== 'failed' || textIn(data, 'severity') !== 'permanent') return []
  const status = objectIn(data, 'delivery-status')
  return eventFor('devolucao', data.recipient, textIn(status, 'message') || textIn(status, 'description'))
}

/** Our e-mails have one recipient. Of several, the report does not say which one it is about. */
function resendEvent(item: Json): EmailEvent[] {
  const type = textIn(item, 'type')
  const data = objectIn(item, 'data')
  const [recipient, ...others] = [data.to].flat()
  if (others.length > 0) return []
  if (type === 'email.complained') return eventFor('reclamacao', recipient, '')
  const bounce = objectIn(data, 'bounce')
  if (type !== 'email.bounced' || !/^(permanent)?$/i.test(textIn(bounce, 'type'))) return []
  return eventFor('devolucao', recipient, textIn(bounce, 'message'))
}

function eventFor(kind: EmailEvent['kind'], recipient: unknown, detail: string): EmailEvent[] {
  const text = typeof recipient === 'string' ? recipient.trim() : ''
  const email = /<([^<>]+)>$/.exec(text)?.[1] ?? text
  if (email.length > 254 || !/^[^\s@<>\0]+@[^\s@<>\0]+$/.test(email)) return []
  // PostgreSQL stores no null character.
  return [{ kind, email, detail: withoutAddresses(detail.replace(/\0/g, '')).trim() || null }]
}

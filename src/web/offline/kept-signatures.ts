// Signatures that could not leave the phone: kept in its own storage, sent when the network is back, by the page or by the worker.
// Each carries its request id, so that one which did arrive without our knowing is not counted twice.
import type { Refusal } from '#contract/endpoint.ts'
import { fetchFromBrowser, mayPass } from '#web/api/client.ts'

export interface KeptSignature {
  requestId: string
  /** Where it is to be sent. */
  path: string
  body: unknown
  /** When it was stored on this device. */
  keptAt?: number
  /** What the server said against it: it will not be sent again, and its owner has to be told. */
  refused?: Refused
  /** When it arrived. What it said is gone by then; this stays a while for the page that waits to hear of it. */
  sentAt?: number
}

export type Refused = Required<Pick<Refusal, 'message' | 'errors'>>

const name = 'mobiliza'
const drawer = 'assinaturas'
const notedMs = 3_600_000
/** Personal data does not stay on the device for longer, sent or not. */
const mostAgeMs = 7 * 86_400_000

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(drawer, { keyPath: 'requestId' })
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function inDrawer<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  try {
    const transaction = database.transaction(drawer, mode)
    const request = act(transaction.objectStore(drawer))
    // Not when it is asked: a phone that is full finds that out only at the end.
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onabort = () => reject(transaction.error)
    })
    return request.result
  } finally {
    database.close()
  }
}

/** Whether there is a drawer at all: looking into one would make it. */
async function hasDrawer(): Promise<boolean> {
  const known = await indexedDB.databases?.()
  return known === undefined || known.some((database) => database.name === name)
}

export async function keepSignature(signature: KeptSignature): Promise<void> {
  await inDrawer('readwrite', (store) => store.put({ keptAt: Date.now(), ...signature }))
}

async function everything(): Promise<KeptSignature[]> {
  if (!(await hasDrawer())) return []
  const now = Date.now()
  const isOver = ({ sentAt, keptAt = now }: KeptSignature) =>
    sentAt === undefined ? now - keptAt > mostAgeMs : now - sentAt > notedMs
  const all = await inDrawer('readwrite', (store) => {
    const reading = store.getAll() as IDBRequest<KeptSignature[]>
    reading.onsuccess = () => {
      for (const kept of reading.result) {
        if (isOver(kept)) store.delete(kept.requestId)
        // Stored by an earlier version, or by a clock that was ahead: its time begins now.
        else if (!(Number(kept.keptAt) <= now)) store.put({ ...kept, keptAt: now })
      }
    }
    return reading
  })
  return all.filter((kept) => !isOver(kept)).map(asKeptToday)
}

/** Phones still hold what an earlier version kept, whose refusals were sentences. */
function asKeptToday(kept: KeptSignature): KeptSignature {
  const refused: unknown = kept.refused
  return typeof refused === 'string' ? { ...kept, refused: { message: refused, errors: {} } } : kept
}

/** Those that wait, and those that were refused. */
export async function keptSignatures(): Promise<KeptSignature[]> {
  return (await everything()).filter(({ sentAt }) => sentAt === undefined)
}

/** What became of one; nothing when the phone has forgotten it. */
export async function findKept(requestId: string): Promise<KeptSignature | undefined> {
  return (await everything()).find((kept) => kept.requestId === requestId)
}

/** Nothing of what it said stays. */
export async function markSent({ requestId, path }: KeptSignature): Promise<void> {
  await keepSignature({ requestId, path, body: null, sentAt: Date.now() })
}

/** Unless it is gone, or was sent, meanwhile: a page that waited for its own answer may have heard the same. */
async function markRefused(requestId: string, refused: Refused): Promise<void> {
  await inDrawer('readwrite', (store) => {
    const looking = store.get(requestId) as IDBRequest<KeptSignature | undefined>
    looking.onsuccess = () => {
      const { result } = looking
      if (result && result.sentAt === undefined) store.put({ ...result, refused })
    }
    return looking
  })
}

export async function dropSignature({ requestId }: KeptSignature): Promise<void> {
  await inDrawer('readwrite', (store) => store.delete(requestId))
}

/** Sends what is kept, page and worker never at the same time. Answers whether nothing is left to send. */
export function sendKept(): Promise<boolean> {
  return navigator.locks ? navigator.locks.request(name, sendEach) : sendEach()
}

async function sendEach(): Promise<boolean> {
  for (const signature of await everything()) {
    const { refused, sentAt } = signature
    if (sentAt === undefined && refused === undefined && !(await send(signature))) return false
  }
  return true
}

/** Answers whether it has arrived or was refused; only our own server can say either. */
async function send(signature: KeptSignature): Promise<boolean> {
  const { requestId, path, body } = signature
  try {
    const { status, body: answer } = await fetchFromBrowser({ method: 'POST', path, body, requestId })
    const { success, message = '', errors = {} } = (answer ?? {}) as { success?: boolean } & Partial<Refused>
    if (status < 300 && success === true) await markSent(signature)
    else if (status >= 500 || mayPass(status, success)) return false
    else await markRefused(requestId, { message, errors })
    return true
  } catch {
    return false
  }
}

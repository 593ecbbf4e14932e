// Signatures that could not be sent: kept in IndexedDB; page or service worker send them when the network is back.
import type { Refusal } from '#contract/refusals.ts'
import { fetchFromBrowser, isRetryable } from '#web/api/client.ts'

export interface KeptSignature {
  /** The server counts requests with the same id once, even if the first reply was lost. */
  requestId: string
  path: string
  body: unknown
  keptAt?: number
  /** The server's refusal: the signature is not sent again, and its owner must be told. */
  refused?: Refused
  /** Set on arrival, when `body` is deleted. The record stays for a while, for a page that waits for the result. */
  sentAt?: number
}

export type Refused = Required<Pick<Refusal, 'message' | 'errors'>>

const databaseName = 'mobiliza'
const storeName = 'assinaturas'
/** How long the record of a sent signature stays. */
const sentRetentionMs = 3_600_000
/** Personal data does not stay on the device longer than this, sent or not. */
const maxAgeMs = 7 * 86_400_000

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: 'requestId' })
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function withStore<T>(mode: IDBTransactionMode, operation: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  try {
    const transaction = database.transaction(storeName, mode)
    const request = operation(transaction.objectStore(storeName))
    // Waits for the transaction, not the request: a full device reports the error only at the end of the transaction.
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onabort = () => reject(transaction.error)
    })
    return request.result
  } finally {
    database.close()
  }
}

/** Checked before reading, because opening the database would create it. */
async function databaseExists(): Promise<boolean> {
  const databases = await indexedDB.databases?.()
  return databases === undefined || databases.some((database) => database.name === databaseName)
}

export async function keepSignature(signature: KeptSignature): Promise<void> {
  await withStore('readwrite', (store) => store.put({ keptAt: Date.now(), ...signature }))
}

async function allKept(): Promise<KeptSignature[]> {
  if (!(await databaseExists())) return []
  const now = Date.now()
  const isExpired = ({ sentAt, keptAt = now }: KeptSignature) =>
    sentAt === undefined ? now - keptAt > maxAgeMs : now - sentAt > sentRetentionMs
  const all = await withStore('readwrite', (store) => {
    const request = store.getAll() as IDBRequest<KeptSignature[]>
    request.onsuccess = () => {
      for (const kept of request.result) {
        if (isExpired(kept)) store.delete(kept.requestId)
        // Stored by an earlier version, or while the clock was ahead: the retention period starts now.
        else if (!(Number(kept.keptAt) <= now)) store.put({ ...kept, keptAt: now })
      }
    }
    return request
  })
  return all.filter((kept) => !isExpired(kept)).map(upgradeRecord)
}

/** Phones still have records of an earlier version, in which `refused` was a string. */
function upgradeRecord(kept: KeptSignature): KeptSignature {
  const refused: unknown = kept.refused
  return typeof refused === 'string' ? { ...kept, refused: { message: refused, errors: {} } } : kept
}

/** Waiting and refused signatures. */
export async function keptSignatures(): Promise<KeptSignature[]> {
  return (await allKept()).filter(({ sentAt }) => sentAt === undefined)
}

/** Returns undefined if the record was deleted, for example with the browser's data. */
export async function findKept(requestId: string): Promise<KeptSignature | undefined> {
  return (await allKept()).find((kept) => kept.requestId === requestId)
}

/** Deletes the personal data. */
export async function markSent({ requestId, path }: KeptSignature): Promise<void> {
  await keepSignature({ requestId, path, body: null, sentAt: Date.now() })
}

/** Does nothing if the record was deleted or sent meanwhile: the page may have received a reply to its own request. */
async function markRefused(requestId: string, refused: Refused): Promise<void> {
  await withStore('readwrite', (store) => {
    const lookup = store.get(requestId) as IDBRequest<KeptSignature | undefined>
    lookup.onsuccess = () => {
      const { result } = lookup
      if (result && result.sentAt === undefined) store.put({ ...result, refused })
    }
    return lookup
  })
}

export async function dropSignature({ requestId }: KeptSignature): Promise<void> {
  await withStore('readwrite', (store) => store.delete(requestId))
}

/** The lock prevents page and worker from sending at the same time. Returns whether nothing is left to send. */
export function sendKept(): Promise<boolean> {
  return navigator.locks ? navigator.locks.request(databaseName, sendEach) : sendEach()
}

async function sendEach(): Promise<boolean> {
  for (const signature of await allKept()) {
    const { refused, sentAt } = signature
    if (sentAt === undefined && refused === undefined && !(await send(signature))) return false
  }
  return true
}

/** Returns whether the signature arrived or was refused. Only a reply from our own server counts. */
async function send(signature: KeptSignature): Promise<boolean> {
  const { requestId, path, body } = signature
  try {
    const { status, body: answer } = await fetchFromBrowser({ method: 'POST', path, body, requestId })
    const { success, message = '', errors = {} } = (answer ?? {}) as { success?: boolean } & Partial<Refused>
    if (status < 300 && success === true) await markSent(signature)
    else if (status >= 500 || isRetryable(status, success)) return false
    else await markRefused(requestId, { message, errors })
    return true
  } catch {
    return false
  }
}

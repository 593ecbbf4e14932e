// Signatures that could not leave the phone: kept in its own storage, sent when the network is back, by the page or by the worker.
// Each carries its request id, so that one which did arrive without our knowing is not counted twice.
import type { Refusal } from '#contract/endpoint.ts'
import { fetchFromBrowser } from '#web/api/client.ts'

export interface KeptSignature {
  requestId: string
  /** Where it is to be sent. */
  path: string
  body: unknown
  /** What the server said against it: it will not be sent again, and its owner has to be told. */
  refused?: string
}

const name = 'mobiliza'
const drawer = 'assinaturas'

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(drawer, { keyPath: 'requestId' })
  return settled(request)
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function inDrawer<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  try {
    return await settled(act(database.transaction(drawer, mode).objectStore(drawer)))
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
  await inDrawer('readwrite', (store) => store.put(signature))
}

export async function keptSignatures(): Promise<KeptSignature[]> {
  return (await hasDrawer()) ? inDrawer('readonly', (store) => store.getAll() as IDBRequest<KeptSignature[]>) : []
}

export async function dropSignature(requestId: string): Promise<void> {
  await inDrawer('readwrite', (store) => store.delete(requestId))
}

/** Sends what is kept, page and worker never at the same time. Answers whether nothing is left to send. */
export function sendKept(): Promise<boolean> {
  return navigator.locks ? navigator.locks.request(name, sendEach) : sendEach()
}

async function sendEach(): Promise<boolean> {
  const waiting = (await keptSignatures()).filter(({ refused }) => refused === undefined)
  for (const signature of waiting) if (!(await send(signature))) return false
  return true
}

async function send(signature: KeptSignature): Promise<boolean> {
  const { requestId, path, body } = signature
  try {
    const { status, body: answer } = await fetchFromBrowser({ method: 'POST', path, body, requestId })
    if (status < 300) await dropSignature(requestId)
    // Too many, too early, a server in trouble: all of that passes.
    else if (status >= 500 || [408, 425, 429].includes(status)) return false
    else await keepSignature({ ...signature, refused: (answer as Partial<Refusal>).message ?? '' })
    return true
  } catch {
    return false
  }
}

// Sending a form with a file: the one kind of call that tells how far it has come, and that can be called off.
import { uploadImage } from '#contract/admin/images.ts'
import { type Endpoint, fillPath, type PathParams, type ReplyOf } from '#contract/endpoint.ts'
import { authorization, noticed } from '#web/admin/api.ts'
import { readToken } from '#web/admin/session/session.ts'
import { ApiFailure, givingUp, patienceMs } from '#web/api/client.ts'

export interface UploadOptions {
  /** How much of it has left, from 0 to 1. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

interface FormUpload extends UploadOptions {
  params?: PathParams
  form: FormData
}

/** Rejects with an `AbortError` when it was called off. */
export async function uploadAdmin<E extends Endpoint>(endpoint: E, options: FormUpload): Promise<ReplyOf<E>> {
  const token = readToken()
  const { status, text } = await send(endpoint, options, token)
  const answer = parsed(text)
  if (status < 200 || status >= 300) throw noticed(new ApiFailure(status, answer), token)
  return endpoint.reply.parse(answer) as ReplyOf<E>
}

/** Keeps one image on the site, for a text or a campaign that will show it. */
export function sendImage(file: File, options: UploadOptions = {}): Promise<ReplyOf<typeof uploadImage>> {
  const form = new FormData()
  form.set('imagem', file)
  return uploadAdmin(uploadImage, { form, ...options })
}

function send({ method, path }: Endpoint, { params, form, onProgress, signal }: FormUpload, token: string | null) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, fillPath(path, params))
    for (const [name, value] of Object.entries(authorization(token))) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    const lose = () => reject(new TypeError('network'))
    request.onerror = lose
    request.onabort = () => reject(new DOMException('called off', 'AbortError'))
    if (signal?.aborted) return request.onabort(new ProgressEvent('abort'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
    // A file may take long, and one sees how far it has come; without one it is a call like any other.
    if ([...form.values()].some((value) => value instanceof File)) return
    givingUp(patienceMs).addEventListener('abort', () => {
      lose()
      request.abort()
    })
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

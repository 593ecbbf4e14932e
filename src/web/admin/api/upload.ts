// Sends multipart forms, with progress and cancellation. Uses XMLHttpRequest: fetch reports no upload progress.
import { uploadImage } from '#contract/admin/images.ts'
import { type Endpoint, fillPath, type PathParams, type ReplyOf } from '#contract/endpoint.ts'
import { authorization, handleAuthError } from '#web/admin/api/client.ts'
import { readToken } from '#web/admin/session/session.ts'
import { ApiFailure, requestTimeoutMs, timeoutSignal } from '#web/api/client.ts'

interface UploadOptions {
  /** Fraction sent so far, from 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

interface FormUpload extends UploadOptions {
  params?: PathParams
  form: FormData
}

/** Rejects with an `AbortError` when the upload was cancelled. */
export async function uploadAdmin<E extends Endpoint>(endpoint: E, options: FormUpload): Promise<ReplyOf<E>> {
  const token = readToken()
  const { status, text } = await send(endpoint, options, token)
  const body = parseJson(text)
  if (status < 200 || status >= 300) throw handleAuthError(new ApiFailure(status, body), token)
  return endpoint.reply.parse(body) as ReplyOf<E>
}

/** Stores one image on the site, for use in a text or a campaign. */
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
    const rejectAsNetworkError = () => reject(new TypeError('network'))
    request.onerror = rejectAsNetworkError
    request.onabort = () => reject(new DOMException('called off', 'AbortError'))
    if (signal?.aborted) return request.onabort(new ProgressEvent('abort'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
    // A file may take long, and its progress is visible, so it has no timeout. Forms without a file have the usual one.
    if ([...form.values()].some((value) => value instanceof File)) return
    timeoutSignal(requestTimeoutMs).addEventListener('abort', () => {
      rejectAsNetworkError()
      request.abort()
    })
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

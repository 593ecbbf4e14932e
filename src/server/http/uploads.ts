// Calls that bring an image: a form of few fields and one file, for administrators alone.
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { imageLimits } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { BodyOf, Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { EncodedImage } from '#server/core/encoded-image.ts'
import { AppError } from '#server/core/errors.ts'
import { giveTime } from '#server/http/connections.ts'
import { type AdminCall, type App, mountForAdministrators } from '#server/http/mount.ts'

const { image: sentences } = adminMessages

const limits = { fileSize: imageLimits.bytes, files: 1, fields: 20, fieldSize: 64 * 1024, parts: 21, headerPairs: 20 }
const fieldsBytes = 256 * 1024
/** Five megabytes from a phone on a bad day. */
const patienceMs = 180_000

export interface UploadCall<E extends Endpoint> extends AdminCall<E> {
  /** What came in the field `imagem`, ready to be kept. */
  image: EncodedImage | undefined
}

/**
 * The same as `mountForAdministrators`, for a form that may bring an image. In a scope of its own, so that no other call takes such a form:
 * the guard has let the caller in before anything is read, and the fields are right before the image is looked at.
 */
export function mountUpload<E extends Endpoint>(
  app: App,
  endpoint: E,
  handle: (body: BodyOf<E>, call: UploadCall<E>) => Promise<ReplyOf<E>>,
): void {
  app.register(async (scope) => {
    await scope.register(multipart, { limits, throwFileSizeLimit: false })
    scope.addHook('preParsing', awaitForm)
    scope.addHook('preValidation', readForm)
    mountForAdministrators(scope, endpoint, async (body, call) => {
      const image = call.upload ? await readImage(call.upload) : undefined
      return handle(body, { ...call, image })
    })
  })
}

/** Images are sent seldom, so what reads them is loaded only then. */
async function readImage(file: Buffer): Promise<EncodedImage> {
  const { readUploadedImage } = await import('#server/adapters/uploaded-image.ts')
  return readUploadedImage(file)
}

async function awaitForm({ headers, raw }: FastifyRequest): Promise<void> {
  if (Number(headers['content-length']) > limits.fileSize + fieldsBytes) throw tooLarge()
  giveTime(raw, patienceMs)
}

async function readForm(request: FastifyRequest): Promise<void> {
  if (!request.isMultipart()) return
  const fields: Record<string, unknown> = {}
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        const file = await read(part)
        if (part.fieldname === 'imagem' && file.length > 0) request.upload = file
      } else {
        if (part.valueTruncated) throw new AppError('too-large', messages.http.tooLarge)
        fields[part.fieldname] = part.value
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    // Cut short, malformed or with more parts than any of our forms has: the parser's own words are of no use to the sender.
    throw new AppError('invalid', sentences.interrupted)
  }
  request.body = fields
}

/** Stops at the limit instead of waiting for the rest. */
async function read({ file }: MultipartFile): Promise<Buffer> {
  const chunks: Buffer[] = []
  file.once('limit', () => file.destroy(tooLarge()))
  for await (const chunk of file) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function tooLarge(): AppError {
  return new AppError('too-large', sentences.tooLarge, { imagem: sentences.tooLarge })
}

// Calls that bring an image: a form of few fields and one file, for administrators alone.
import { getMultipartBoundary, MaxFileSizeExceededError, parseMultipart } from '@remix-run/multipart-parser'
import type { FastifyError, FastifyRequest } from 'fastify'
import { imageLimits } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { BodyOf, Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { httpMessages } from '#contract/messages.ts'
import type { EncodedImage } from '#server/core/encoded-image.ts'
import { AppError } from '#server/core/errors.ts'
import { giveTime } from '#server/http/connections.ts'
import { type AdminCall, type App, mountForAdministrators } from '#server/http/mount.ts'

const { image: sentences } = adminMessages

const maxFields = 20
const maxFieldBytes = 64 * 1024
const bodyLimit = imageLimits.bytes + 256 * 1024
/** Five megabytes from a phone on a slow connection. */
const uploadTimeoutMs = 180_000

export interface UploadCall<E extends Endpoint> extends AdminCall<E> {
  /** What came in the field `imagem`, ready to be kept. */
  image: EncodedImage | undefined
}

/**
 * Like `mountForAdministrators`, for a multipart form that may include an image. The scope keeps the multipart parser away from other
 * routes. The guard runs before the body is read, and the fields are validated before the image is decoded.
 */
export function mountUpload<E extends Endpoint>(
  app: App,
  endpoint: E,
  handle: (body: BodyOf<E>, call: UploadCall<E>) => Promise<ReplyOf<E>>,
): void {
  app.register(async (scope) => {
    scope.addHook('preParsing', async ({ raw }) => giveTime(raw, uploadTimeoutMs))
    scope.addContentTypeParser<Buffer>(
      'multipart/form-data',
      { parseAs: 'buffer', bodyLimit },
      async (request: FastifyRequest, body: Buffer) => readForm(request, body),
    )
    scope.setErrorHandler<FastifyError>((error) => {
      throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? tooLarge() : error
    })
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

/**
 * The form is parsed from a buffer by a parser without streams: a streaming parser emitted an error on a stream that nobody listened
 * to, which ended the process.
 */
function readForm(request: FastifyRequest, body: Buffer): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  try {
    const boundary = getMultipartBoundary(request.headers['content-type'] ?? '') ?? ''
    const options = { boundary, maxFileSize: imageLimits.bytes, maxParts: maxFields + 1 }
    let files = 0
    for (const part of parseMultipart(body, options)) {
      if (part.isFile) {
        files += 1
        if (files > 1) throw interrupted()
        if (part.name === 'imagem' && part.size > 0) request.upload = Buffer.concat(part.content)
      } else if (part.size > maxFieldBytes) {
        throw new AppError('too-large', httpMessages.tooLarge)
      } else if (part.name) {
        fields[part.name] = part.text
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    // The parser's own message is in English and of no use to the sender.
    throw error instanceof MaxFileSizeExceededError ? tooLarge() : interrupted()
  }
  return fields
}

function interrupted(): AppError {
  return new AppError('invalid', sentences.interrupted)
}

function tooLarge(): AppError {
  return new AppError('too-large', sentences.tooLarge, { imagem: sentences.tooLarge })
}

// Mounts endpoints that accept a file: multipart forms with few fields and one file, for administrators only.
import { getMultipartBoundary, MaxFileSizeExceededError, parseMultipart } from '@remix-run/multipart-parser'
import type { FastifyError, FastifyRequest } from 'fastify'
import { imageLimits } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { BodyOf, Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { httpMessages } from '#contract/messages.ts'
import type { EncodedImage } from '#server/core/encoded-image.ts'
import { AppError } from '#server/core/errors.ts'
import { extendRequestTimeout } from '#server/http/admission/connection-limits.ts'
import { type AdminCall, type App, mountForAdministrators } from '#server/http/mount.ts'

const maxFields = 20
const maxFieldBytes = 64 * 1024
/** Enough for five megabytes from a phone on a slow connection, and for a large list from a computer. */
const uploadTimeoutMs = 180_000

interface FileRule {
  /** The name of the field. */
  field: string
  maxBytes: number
  texts: { tooLarge: string; interrupted: string }
}

const imageRule: FileRule = { field: 'imagem', maxBytes: imageLimits.bytes, texts: adminMessages.image }

interface UploadCall<E extends Endpoint> extends AdminCall<E> {
  /** The file of the field `imagem`, ready to be stored. */
  image: EncodedImage | undefined
}

/** A multipart form that may include an image. The fields are validated before the image is decoded. */
export function mountUpload<E extends Endpoint>(
  app: App,
  endpoint: E,
  handle: (body: BodyOf<E>, call: UploadCall<E>) => Promise<ReplyOf<E>>,
): void {
  mountFileUpload(app, { endpoint, rule: imageRule }, async (body, call) => {
    const image = call.upload ? await readImage(call.upload) : undefined
    return handle(body, { ...call, image })
  })
}

/**
 * Like `mountForAdministrators`, for a multipart form that may include a file. The scope limits the multipart parser to
 * this route. The guard runs before the body is read.
 */
export function mountFileUpload<E extends Endpoint>(
  app: App,
  { endpoint, rule }: { endpoint: E; rule: FileRule },
  handle: (body: BodyOf<E>, call: AdminCall<E>) => Promise<ReplyOf<E>>,
): void {
  const bodyLimit = rule.maxBytes + 256 * 1024
  app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, uploadLimit: bodyLimit, uploadField: rule.field }
    })
    scope.addHook('preParsing', async ({ raw }) => extendRequestTimeout(raw, uploadTimeoutMs))
    scope.addContentTypeParser<Buffer>(
      'multipart/form-data',
      { parseAs: 'buffer', bodyLimit },
      async (request: FastifyRequest, body: Buffer) => readForm(request, body, rule),
    )
    scope.setErrorHandler<FastifyError>((error) => {
      throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? tooLarge(rule) : error
    })
    mountForAdministrators(scope, endpoint, handle)
  })
}

/** Uploads are rare, so the image library is loaded only when it is needed. */
async function readImage(file: Buffer): Promise<EncodedImage> {
  const { readUploadedImage } = await import('#server/adapters/uploaded-image.ts')
  return readUploadedImage(file)
}

/**
 * Parses the form from a buffer, without streams: a streaming parser emitted an error on a stream without an error
 * listener, which ended the process.
 */
function readForm(request: FastifyRequest, body: Buffer, rule: FileRule): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  try {
    const boundary = getMultipartBoundary(request.headers['content-type'] ?? '') ?? ''
    const options = { boundary, maxFileSize: rule.maxBytes, maxParts: maxFields + 1 }
    let files = 0
    for (const part of parseMultipart(body, options)) {
      if (part.isFile) {
        files += 1
        if (files > 1) throw interrupted(rule)
        if (part.name === rule.field && part.size > 0) request.upload = Buffer.concat(part.content)
      } else if (part.size > maxFieldBytes) {
        throw new AppError('too-large', httpMessages.tooLarge)
      } else if (part.name) {
        fields[part.name] = part.text
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    // The message of the parser is English and does not help the user.
    throw error instanceof MaxFileSizeExceededError ? tooLarge(rule) : interrupted(rule)
  }
  return fields
}

function interrupted({ texts }: FileRule): AppError {
  return new AppError('invalid', texts.interrupted)
}

function tooLarge({ texts, field }: FileRule): AppError {
  return new AppError('too-large', texts.tooLarge, { errors: { [field]: texts.tooLarge } })
}

// Builds the OpenAPI 3.1 document from the mounted endpoints: zod converts their schemas to JSON Schema.
import * as zod from 'zod/v4/core'
import type { Endpoint, Schema } from '#contract/endpoint.ts'
import { maxOriginLength, normalizeOrigin } from '#contract/origin.ts'
import { refusalSchema } from '#contract/refusals.ts'
import { areas } from '#server/features/api-docs/areas.ts'
import type { Policy } from '#server/http/access.ts'

export type JsonSchema = zod.JSONSchema.BaseSchema

interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: JsonSchema
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<
    string,
    { $ref: string } | { description: string; content?: Record<string, { schema: JsonSchema }> }
  >
}

export type OpenApi = ReturnType<typeof describeApi>

const whoMayCall: Record<Endpoint['access'], string> = {
  anyone: 'Qualquer pessoa.',
  link: 'Quem recebeu o link por e-mail.',
  administrator: 'Administradores da coordenação, com o token da sessão.',
  webhook: 'O chatbot, com o segredo do webhook.',
  signed: 'O provedor de e-mail, com um pedido assinado (Standard Webhooks ou Mailgun).',
}

const withRole: Record<NonNullable<Endpoint['role']>, string> = {
  conteudo: 'Administradores de conteúdo e da coordenação, com o token da sessão.',
}

export function describeApi(policies: Policy[], { title, publicUrl }: { title: string; publicUrl: string }) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [tag, summaries] of Object.entries(areas))
    for (const [route, summary] of Object.entries(summaries)) {
      const policy = policies.find(({ method, url, endpoint }) => endpoint && `${method} ${url}` === route)
      if (!policy?.endpoint) continue
      const path = policy.url.replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [policy.method.toLowerCase()]: operationOf(policy, policy.endpoint, tag, summary),
      }
    }
  return {
    openapi: '3.1.1',
    info: {
      title,
      version: '1',
      description:
        'Todo pedido recusado responde success: false, uma frase em português e um code estável. Os limites de tamanho dos textos valem depois de tirados os espaços que sobram. Os formulários públicos aceitam também application/x-www-form-urlencoded; o campo honeypot fica vazio.',
    },
    servers: [{ url: publicUrl }],
    tags: Object.keys(areas).map((name) => ({ name })),
    paths,
    components: {
      schemas: { Refusal: jsonSchemaOf(refusalSchema, 'output') },
      responses: {
        Refusal: {
          description: 'Recusa',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
        },
      },
      securitySchemes: {
        administrator: { type: 'http', scheme: 'bearer' },
        webhook: { type: 'apiKey', in: 'header', name: 'X-Webhook-Token' },
      },
    },
  }
}

function operationOf(policy: Policy, endpoint: Endpoint, tag: string, summary: string): Operation {
  const { method, path, access, role, status = method === 'POST' ? 201 : 200 } = endpoint
  const { contentType = 'application/json', uploadLimit, uploadField, bodyLimit, isLimited } = policy
  const requestSchema = bodySchemaOf(endpoint, uploadField)
  const requestType = uploadLimit ? 'multipart/form-data' : 'application/json'
  const limits = [
    requestSchema && `Corpo de até ${Math.floor((uploadLimit ?? bodyLimit) / 1024)} KB.`,
    isLimited && 'Há um limite de pedidos por endereço IP.',
  ]
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [tag],
    summary,
    description: [role ? withRole[role] : whoMayCall[access], ...limits].filter(Boolean).join(' '),
    security: access === 'administrator' || access === 'webhook' ? [{ [access]: [] }] : [],
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...(requestSchema && { requestBody: { required: true, content: { [requestType]: { schema: requestSchema } } } }),
    responses: {
      [status]: {
        description: 'Sucesso',
        ...(status !== 204 && {
          content: { [contentType.replace(/;.*/, '')]: { schema: jsonSchemaOf(endpoint.reply, 'output') } },
        }),
      },
      default: { $ref: '#/components/responses/Refusal' },
    },
  }
}

function bodySchemaOf({ body }: Endpoint, uploadField: string | undefined): JsonSchema | undefined {
  const schema = body && jsonSchemaOf(body, 'input')
  if (!uploadField) return schema
  const contentMediaType = uploadField === 'imagem' ? 'image/*' : 'application/octet-stream'
  const file: JsonSchema = { type: 'string', contentMediaType }
  return { type: 'object', ...schema, properties: { ...schema?.properties, [uploadField]: file } }
}

function parametersOf(schema: Schema | undefined, place: Parameter['in']): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property as JsonSchema,
  }))
}

function jsonSchemaOf(schema: zod.$ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = zod.toJSONSchema(schema, { io, unrepresentable: 'any', override: describe })
  if (io === 'output' || json.type !== 'object') return json
  // A transformation may accept an absent value. Only an attempt shows which fields are required.
  const { error } = zod.safeParse(schema, {})
  const required = [...new Set(error?.issues.map(({ path: [field] }) => String(field)))]
  return { ...json, required }
}

/** Corrects what zod cannot derive from a schema. */
function describe({ zodSchema, jsonSchema }: { zodSchema: zod.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod
  if (jsonSchema.minLength === 0) delete jsonSchema.minLength
  if (def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
  if (def.type !== 'pipe') return
  // A form accepts any origin, and stores a normalized one.
  if ('transform' in def.out._zod.def && def.out._zod.def.transform === normalizeOrigin)
    Object.assign(jsonSchema, { type: 'string', maxLength: maxOriginLength })
  // The first half normalizes what the second half restricts.
  const { type } = def.out._zod.def
  if (type === 'enum') {
    delete jsonSchema.maxLength
    Object.assign(jsonSchema, jsonSchemaOf(def.out, 'output'))
  } else if (type !== 'transform' && Object.keys(jsonSchema).length === 0) {
    Object.assign(jsonSchema, jsonSchemaOf(def.out, 'input'))
  }
}

// What we keep. Tables and columns that the specification names are spelled as it spells them.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import type { AuditChange } from '#contract/admin/deeds.ts'
import { mailboxSql } from '#server/db/mailbox.ts'
import { conversationWords } from '#server/db/words.ts'

/** All records of a mailbox are found by it, when their news consent changes. */
const mailbox = (name: string) => index(name).on(sql.raw(mailboxSql('"emailCanonico"')))
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
/**
 * A key of text, compared byte by byte: quicker, and the same on every system. In the language's own order an upgrade of the
 * system can change that order, and a unique index then admits somebody twice.
 */
const key = (length: number) => customType<{ data: string }>({ dataType: () => `varchar(${length}) collate "C"` })()
const words = customType<{ data: string }>({ dataType: () => 'tsvector' })
const moment = () => timestamp({ withTimezone: true })
const createdAt = () => moment().notNull().defaultNow()
const updatedAt = () => moment().notNull().defaultNow()
const list = () => text().array().notNull().default(sql`'{}'`)
const serial = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()

/** What every public form leaves beside its own fields: the id of the request, and the consent that was given. */
const submission = () => ({
  requestId: uuid().notNull(),
  aceitaNovidades: boolean().notNull().default(false),
  versaoConsentimento: varchar({ length: 20 }).notNull(),
})

export const adminUsers = pgTable('admin_users', {
  id: serial(),
  username: varchar({ length: 50 }).notNull().unique(),
  password: varchar({ length: 255 }).notNull(),
  email: varchar({ length: 100 }).notNull().unique(),
  isActive: boolean().notNull().default(true),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const adminSessions = pgTable(
  'admin_sessions',
  {
    tokenHash: text().primaryKey(),
    adminUserId: bigint({ mode: 'number' })
      .notNull()
      .references(() => adminUsers.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    lastSeenAt: moment().notNull().defaultNow(),
  },
  (table) => [index('admin_sessions_user').on(table.adminUserId)],
)

/** Browsers in which an administrator has logged in. Grants nothing; the login throttle treats them apart. */
export const adminDevices = pgTable(
  'admin_devices',
  {
    tokenHash: text().notNull(),
    adminUserId: bigint({ mode: 'number' })
      .notNull()
      .references(() => adminUsers.id, { onDelete: 'cascade' }),
    lastUsedAt: moment().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.adminUserId, table.tokenHash] })],
)

/** Who did what in the admin area, and when. Kept when the account is gone. */
export const adminActions = pgTable(
  'admin_actions',
  {
    id: serial(),
    username: varchar({ length: 50 }).notNull(),
    acao: varchar({ length: 100 }).notNull(),
    alvo: text().notNull().default(''),
    /** Which fields were changed, from what to what. */
    changes: jsonb().$type<AuditChange[]>().notNull().default([]),
    createdAt: createdAt(),
  },
  (table) => [index('admin_actions_user').on(table.username, table.id)],
)

export const contacts = pgTable(
  'contacts',
  {
    id: uuid().primaryKey(),
    name: varchar({ length: 200 }).notNull(),
    email: varchar({ length: 254 }).notNull(),
    emailCanonico: varchar({ length: 254 }).notNull(),
    whatsapp: varchar({ length: 11 }).notNull(),
    tasks: list(),
    ...submission(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('contacts_request').on(table.requestId, table.emailCanonico),
    index('contacts_created').on(table.createdAt),
    mailbox('contacts_mailbox'),
  ],
)

export const influenciadores = pgTable(
  'influenciadores',
  {
    id: uuid().primaryKey(),
    name: varchar({ length: 200 }).notNull(),
    email: varchar({ length: 254 }).notNull(),
    emailCanonico: varchar({ length: 254 }).notNull(),
    whatsapp: varchar({ length: 11 }).notNull(),
    cidade: varchar({ length: 120 }).notNull(),
    estado: varchar({ length: 2 }).notNull(),
    redesSociais: varchar({ length: 500 }).notNull(),
    tasks: list(),
    ...submission(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('influenciadores_request').on(table.requestId, table.emailCanonico),
    index('influenciadores_created').on(table.createdAt),
    mailbox('influenciadores_mailbox'),
  ],
)

export const lideres = pgTable(
  'lideres',
  {
    id: uuid().primaryKey(),
    nome: varchar({ length: 200 }).notNull(),
    email: varchar({ length: 254 }).notNull(),
    emailCanonico: varchar({ length: 254 }).notNull(),
    whatsapp: varchar({ length: 25 }).notNull(),
    /** AES-256-GCM; the index is an HMAC, so that equal numbers can be found without being read. */
    cpfCifrado: bytes().notNull(),
    cpfIndice: bytes().notNull(),
    cpfConfere: boolean().notNull(),
    nascimento: date({ mode: 'string' }).notNull(),
    genero: varchar({ length: 20 }).notNull(),
    profissao: varchar({ length: 120 }).notNull(),
    endereco: varchar({ length: 300 }).notNull(),
    cidade: varchar({ length: 120 }).notNull(),
    estado: varchar({ length: 2 }).notNull(),
    cep: varchar({ length: 10 }).notNull(),
    experiencia: text(),
    motivacao: text().notNull(),
    disponibilidade: list(),
    redes_sociais: varchar({ length: 500 }),
    aceita_termos: boolean().notNull(),
    ...submission(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('lideres_request').on(table.requestId, table.emailCanonico),
    index('lideres_created').on(table.createdAt),
    mailbox('lideres_mailbox'),
  ],
)

export const campaigns = pgTable('campaigns', {
  id: serial(),
  slug: varchar({ length: 100 }).notNull().unique(),
  titulo: varchar({ length: 200 }).notNull(),
  subtitulo: varchar({ length: 300 }),
  manifestoHtml: text().notNull(),
  baseCount: integer().notNull().default(0),
  heroImageUrl: varchar({ length: 500 }),
  sheetTab: varchar({ length: 50 }).notNull(),
  ogTitle: varchar({ length: 200 }),
  ogDescription: varchar({ length: 500 }),
  ogImageUrl: varchar({ length: 500 }),
  themeColor: varchar({ length: 20 }).notNull().default('red'),
  isActive: boolean().notNull().default(true),
  /** The version that `manifestoHtml` is. */
  versaoManifesto: integer().notNull().default(1),
  /** Grows with every edit: who edits what is no longer stored is told. */
  revisao: integer().notNull().default(1),
  alteradaPor: varchar({ length: 50 }),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Slugs that campaigns had before: links, open pages and kept signatures still use them. */
export const campaignOldSlugs = pgTable(
  'campaign_old_slugs',
  {
    slug: key(100).primaryKey(),
    campaignId: bigint({ mode: 'number' })
      .notNull()
      .references(() => campaigns.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [index('campaign_old_slugs_campaign').on(table.campaignId)],
)

/** Every text that a campaign has asked people to sign, the present one too. */
export const manifestos = pgTable(
  'manifestos',
  {
    campaignId: bigint({ mode: 'number' })
      .notNull()
      .references(() => campaigns.id, { onDelete: 'cascade' }),
    versao: integer().notNull(),
    html: text().notNull(),
    autor: varchar({ length: 50 }),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.versao] })],
)

/** Signatures of every campaign. No foreign key to `campaigns`: signing must never wait for a lock on that row. */
export const peticoes = pgTable(
  'peticoes',
  {
    id: uuid().primaryKey(),
    campanha: key(100).notNull().default('juros'),
    nome: varchar({ length: 200 }).notNull(),
    email: varchar({ length: 254 }).notNull(),
    emailCanonico: key(254).notNull(),
    whatsapp: varchar({ length: 25 }).notNull(),
    cidade: varchar({ length: 120 }).notNull(),
    estado: varchar({ length: 2 }).notNull(),
    redesSociais: varchar({ length: 500 }),
    ...submission(),
    /** Of the manifesto that was signed; null before versions were kept, when there was only the first. */
    versaoManifesto: integer(),
    confirmadoEm: moment(),
    /** When the owner of the address was last told that somebody signed again with it. */
    avisadoEm: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('peticoes_pessoa').on(table.campanha, table.emailCanonico),
    // Nobody has confirmed while signing: this one costs the signing path nothing.
    index('peticoes_confirmadas').on(table.id).where(sql`"confirmadoEm" is not null`),
  ],
)

/** Counts of signatures by hour. What the last seconds changed is in `signature_count_changes`: `signature-counts.ts`. */
export const peticoesPorHora = pgTable(
  'peticoes_por_hora',
  {
    campanha: key(100).notNull(),
    estado: key(2).notNull(),
    hora: moment().notNull(),
    n: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hora, table.campanha, table.estado] })],
)

/** Changes of the counts, written in the statement that changes the signatures, so that the parts always sum to the total. */
export const signatureCountChanges = pgTable('signature_count_changes', {
  campanha: key(100).notNull(),
  estado: key(2).notNull(),
  hora: moment().notNull(),
  n: integer().notNull(),
})

/** The sum of `peticoes_por_hora` by campaign. */
export const signatureTotals = pgTable('signature_totals', {
  campanha: key(100).primaryKey(),
  n: integer().notNull(),
})

/** Digests of requests whose record was removed: `removed-requests.ts`. */
export const removedRequests = pgTable('removed_requests', {
  digest: bytes().primaryKey(),
  removedAt: moment().notNull().defaultNow(),
})

export const botConversas = pgTable(
  'bot_conversas',
  {
    id: serial(),
    subscriberId: varchar({ length: 100 }).notNull().unique(),
    nome: varchar({ length: 200 }),
    email: varchar({ length: 254 }),
    /** As it came. */
    whatsapp: varchar({ length: 25 }),
    /** What people are found by: DDD and the last eight digits. */
    telefone: key(10),
    mensagem: text(),
    respostaBot: text(),
    tags: list(),
    customFields: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    status: varchar({ length: 20 }).notNull().default('active'),
    origem: varchar({ length: 50 }).notNull().default('botconversa'),
    /** Of the newest data, by the sender's clock if it tells one: what arrives late is older. */
    ultimaEm: moment().notNull().defaultNow(),
    statusEm: moment().notNull().defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('bot_conversas_ultima').on(table.ultimaEm, table.id),
    index('bot_conversas_status').on(table.status, table.ultimaEm, table.id),
    index('bot_conversas_criada').on(table.createdAt),
    // With nothing but these rows in them, counting reads the indexes alone.
    index('bot_conversas_com_email').on(table.id).where(sql`email is not null`),
    index('bot_conversas_com_whatsapp').on(table.id).where(sql`whatsapp is not null`),
    index('bot_conversas_telefone').on(sql`right(telefone, 8)`),
    index('bot_conversas_palavras').using('gin', conversationWords),
  ],
)

/** Every call of the chatbot that was taken, with what was said in it. */
export const botMensagens = pgTable(
  'bot_mensagens',
  {
    id: serial(),
    conversaId: bigint({ mode: 'number' })
      .notNull()
      .references(() => botConversas.id, { onDelete: 'cascade' }),
    /** Tells the same call delivered twice. */
    chave: key(43).notNull(),
    mensagem: text(),
    respostaBot: text(),
    midiaUrl: text(),
    quando: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('bot_mensagens_chave').on(table.conversaId, table.chave),
    index('bot_mensagens_quando')
      .on(table.conversaId, table.quando, table.id)
      .where(sql`coalesce(mensagem, "respostaBot", "midiaUrl") is not null`),
  ],
)
/**
 * By what people are found in the admin area: the words of each record, put here behind the path that stores it. A trigger
 * of each table takes them out with their record.
 */
export const buscaPessoas = pgTable(
  'busca_pessoas',
  {
    tipo: key(20).notNull(),
    id: uuid().notNull(),
    palavras: words().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tipo, table.id] }),
    // What waits to be put in order is read by every search: it is kept short.
    index('busca_pessoas_palavras').using('gin', table.palavras).with({ gin_pending_list_limit: 512 }),
  ],
)

/** Up to which id the records of a kind have been looked through, by whoever stays so many seconds behind. */
export const buscaPessoasMarcas = pgTable(
  'busca_pessoas_marcas',
  {
    tipo: key(20).notNull(),
    folga: integer().notNull(),
    ate: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tipo, table.folga] })],
)

export const carouselContents = pgTable('carousel_contents', {
  id: serial(),
  titulo: varchar({ length: 200 }).notNull(),
  categoria: varchar({ length: 50 }).notNull(),
  descricao: text().notNull(),
  imagemUrl: varchar({ length: 500 }).notNull(),
  ordem: integer().notNull().default(0),
  isActive: boolean().notNull().default(true),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Images, each in the formats it is served in, under the digest of its largest page format. */
export const media = pgTable(
  'media',
  {
    sha256: varchar({ length: 64 }).notNull(),
    formato: varchar({ length: 10 }).notNull(),
    tipo: varchar({ length: 20 }).notNull(),
    largura: integer().notNull(),
    altura: integer().notNull(),
    dados: bytes().notNull(),
    /** Until then it stays although nothing uses it yet: somebody is writing what will. */
    reservadaAte: moment(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.sha256, table.formato] })],
)

/** How often something happened, where the number is asked for more often than it could be counted. */
export const contadores = pgTable('contadores', {
  nome: varchar({ length: 40 }).primaryKey(),
  n: bigint({ mode: 'number' }).notNull(),
})

/** What is still to be done for a record after its answer: written with the record, removed when done. */
export const outbox = pgTable(
  'outbox',
  {
    id: serial(),
    tipo: varchar({ length: 40 }).notNull(),
    dados: jsonb().notNull(),
    tentativas: integer().notNull().default(0),
    /** When it is due; while a worker holds it, when others may take it from there. */
    proxima: moment().notNull().defaultNow(),
    parada: boolean().notNull().default(false),
    motivo: text(),
    createdAt: createdAt(),
    /** The worker that holds it. */
    reserva: uuid(),
  },
  (table) => [
    index('outbox_proxima').on(table.proxima, table.id).where(sql`not parada`),
    index('outbox_tipo').on(table.tipo, table.proxima, table.id).where(sql`not parada`),
    index('outbox_paradas').on(table.id).where(sql`parada`),
  ],
)

/** Where deliveries go, with a pace that all nodes keep together: nothing more is sent before this moment. */
export const destinos = pgTable('destinos', {
  nome: varchar({ length: 40 }).primaryKey(),
  livreEm: moment().notNull(),
})

/** Spreadsheets that we write: the node whose turn it is, the writes of the last minute, and how it went. */
export const planilhas = pgTable('planilhas', {
  nome: varchar({ length: 200 }).primaryKey(),
  dono: uuid(),
  donoAte: moment(),
  escritas: moment().array().notNull().default(sql`'{}'`),
  sucessoEm: moment(),
  falhaEm: moment(),
  motivo: text(),
})

/**
 * What is remembered of a mailbox, under a digest, so that it outlives the person's data without naming anybody. `recusadoEm` alone
 * is kept under the digest of the canonical address: a server that refuses `name+tag@` may accept `name@`.
 */
export const enderecos = pgTable('enderecos', {
  endereco: bytes().primaryKey(),
  /** Left the news: no news and no reminders. */
  descadastradoEm: moment(),
  /** "Nunca mais me escrevam": no e-mail at all. */
  doNotContactAt: moment(),
  recusadoEm: moment(),
  /** When its owner was last told that somebody signed again with it. */
  avisadoEm: moment(),
})

/** How many e-mails a mailbox was sent for a campaign, or for a form. */
export const emailsPorEndereco = pgTable(
  'emails_por_endereco',
  {
    endereco: bytes().notNull(),
    campanha: key(100).notNull(),
    n: integer().notNull(),
    /** When it was last asked to confirm the news box of a repeated signature: once per campaign and unsubscribe. */
    newsAskedAt: moment(),
    changedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.endereco, table.campanha] }),
    index('emails_por_endereco_changed').on(table.changedAt),
  ],
)

/** Links of e-mails, each for one deed, under the digest of their secret. */
export const emailTokens = pgTable(
  'email_tokens',
  {
    digest: bytes().primaryKey(),
    acao: varchar({ length: 20 }).notNull(),
    endereco: bytes().notNull(),
    registro: uuid(),
    expiraEm: moment().notNull(),
    /** Set if its button also accepts the news. An unsubscribe after this moment voids the link. */
    newsAskedAt: moment(),
  },
  (table) => [index('email_tokens_expira').on(table.expiraEm)],
)

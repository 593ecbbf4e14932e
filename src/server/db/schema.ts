// All tables. Tables and columns from the specification keep its spelling.
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
import type { AuditChange } from '#contract/admin/audit-log.ts'
import type { NewsSegment, NewsStatus, SendStatus } from '#contract/admin/news.ts'
import type { ImportStatus } from '#contract/admin/people-import.ts'
import type { WorkflowStatus } from '#contract/admin/people-workflow.ts'
import type { AdminRole } from '#contract/admin/roles.ts'
import type { CampaignStatus, CountingMode, ShareTexts } from '#contract/campaigns.ts'
import { conversationSearchVector } from '#server/db/conversation-search.ts'
import { hasNoNewsSql, mailboxSql, typedMailboxSql } from '#server/db/mailbox.ts'

/** Finds all records of a mailbox when its news consent changes. */
const mailboxIndex = (name: string) => index(name).on(sql.raw(mailboxSql('"canonicalEmail"')))
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
/**
 * A text key that is compared byte by byte, which is faster and the same on every system. With the collation of
 * a language, an upgrade of the system can change the order, and a unique index then accepts duplicates.
 */
const textKey = (length: number) => customType<{ data: string }>({ dataType: () => `varchar(${length}) collate "C"` })()
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const timestamptz = () => timestamp({ withTimezone: true })
const createdAt = () => timestamptz().notNull().defaultNow()
const updatedAt = () => timestamptz().notNull().defaultNow()
const textArray = () => text().array().notNull().default(sql`'{}'`)
const identity = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()

/** Columns of every public form: the id of the request, the consent, and where the person came from. */
const submission = () => ({
  requestId: uuid().notNull(),
  aceitaNovidades: boolean().notNull().default(false),
  versaoConsentimento: varchar({ length: 20 }).notNull(),
  /** One short label from the link, the embedding site or the import. */
  origem: varchar({ length: 60 }),
  /** The import that created the record. No foreign key, because every row of a batch would be checked. */
  importId: bigint({ mode: 'number' }),
})

export const adminUsers = pgTable('admin_users', {
  id: identity(),
  username: varchar({ length: 50 }).notNull().unique(),
  password: varchar({ length: 255 }).notNull(),
  email: varchar({ length: 100 }).notNull().unique(),
  isActive: boolean().notNull().default(true),
  /** `AdminRole`. Accounts of earlier versions keep all rights. */
  role: varchar({ length: 20 }).$type<AdminRole>().notNull().default('coordenacao'),
  /** A generated password is only valid until the first login, which must replace it. */
  mustChangePassword: boolean().notNull().default(false),
  /** Passwords refused since `refusedSince`, on all nodes, and when the owner was last told (daily-notice.ts). */
  refusedCount: integer().notNull().default(0),
  refusedSince: timestamptz(),
  refusedNoticeAt: timestamptz(),
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
    lastSeenAt: timestamptz().notNull().defaultNow(),
    /** When the password was last checked after the login. Null: only at the login. */
    verifiedAt: timestamptz(),
  },
  (table) => [index('admin_sessions_user').on(table.adminUserId)],
)

const ownAccount = () =>
  bigint({ mode: 'number' })
    .notNull()
    .references(() => adminUsers.id, { onDelete: 'cascade' })

/** The authenticator app of an account. Secrets are encrypted. */
export const adminTotp = pgTable('admin_totp', {
  adminUserId: ownAccount().primaryKey(),
  /** Null until the first code has confirmed the set-up. */
  secret: bytes(),
  /** Replaces `secret` when a code of it is confirmed. */
  pendingSecret: bytes(),
  /** Time step of the last accepted code, so that each code is accepted once. */
  lastStep: bigint({ mode: 'number' }),
})

/** Deleted when they are used. */
export const adminRecoveryCodes = pgTable(
  'admin_recovery_codes',
  { adminUserId: ownAccount(), codeHash: text().notNull() },
  (table) => [primaryKey({ columns: [table.adminUserId, table.codeHash] })],
)

/** WebAuthn credentials of an account. Nothing in them is secret. */
export const adminPasskeys = pgTable('admin_passkeys', {
  id: identity(),
  adminUserId: ownAccount(),
  /** Base64url, as browsers send it. */
  credentialId: text().notNull().unique(),
  publicKey: bytes().notNull(),
  /** Number of signatures that the authenticator reported last. Synchronized passkeys always report 0. */
  counter: bigint({ mode: 'number' }).notNull(),
  transports: textArray(),
  name: varchar({ length: 60 }).notNull(),
  createdAt: createdAt(),
  lastUsedAt: timestamptz(),
})

/**
 * Logins whose password was right and whose second factor is due, and challenges of passkeys. In the database, so that
 * any node can continue them.
 */
export const adminChallenges = pgTable('admin_challenges', {
  tokenHash: text().primaryKey(),
  adminUserId: ownAccount(),
  attempts: integer().notNull().default(0),
  createdAt: createdAt(),
})

/** Browsers in which an administrator has logged in. Grants no access; the login throttle treats them separately. */
export const adminDevices = pgTable(
  'admin_devices',
  {
    tokenHash: text().notNull(),
    adminUserId: bigint({ mode: 'number' })
      .notNull()
      .references(() => adminUsers.id, { onDelete: 'cascade' }),
    lastUsedAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.adminUserId, table.tokenHash] })],
)

/** The audit log of the admin area. Entries stay when the account is deleted. */
export const adminActions = pgTable(
  'admin_actions',
  {
    id: identity(),
    username: varchar({ length: 50 }).notNull(),
    action: varchar({ length: 100 }).notNull(),
    target: text().notNull().default(''),
    /** The changed fields with their old and new values. */
    changes: jsonb().$type<AuditChange[]>().notNull().default([]),
    createdAt: createdAt(),
    /** The beginning of the digest of the session's token, and of the client's address. */
    session: varchar({ length: 12 }),
    address: varchar({ length: 45 }),
    /** Position in the chain, and the hash of this entry and the one before. Null in entries of earlier versions. */
    position: bigint({ mode: 'number' }).unique('admin_actions_position'),
    hash: bytes(),
  },
  (table) => [index('admin_actions_user').on(table.username, table.id)],
)

export const contacts = pgTable(
  'contacts',
  {
    id: uuid().primaryKey(),
    name: varchar({ length: 200 }).notNull(),
    email: varchar({ length: 254 }).notNull(),
    canonicalEmail: varchar({ length: 254 }).notNull(),
    whatsapp: varchar({ length: 11 }).notNull(),
    tasks: textArray(),
    ...submission(),
    /** When the owner of the address confirmed it. Only people who want news are asked. */
    confirmadoEm: timestamptz(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('contacts_request').on(table.requestId, table.canonicalEmail),
    index('contacts_created').on(table.createdAt),
    mailboxIndex('contacts_mailbox'),
  ],
)

export const influenciadores = pgTable(
  'influenciadores',
  {
    id: uuid().primaryKey(),
    name: varchar({ length: 200 }).notNull(),
    email: varchar({ length: 254 }).notNull(),
    canonicalEmail: varchar({ length: 254 }).notNull(),
    whatsapp: varchar({ length: 11 }).notNull(),
    cidade: varchar({ length: 120 }).notNull(),
    estado: varchar({ length: 2 }).notNull(),
    redesSociais: varchar({ length: 500 }).notNull(),
    tasks: textArray(),
    ...submission(),
    /** When the owner of the address confirmed it. Only people who want news are asked. */
    confirmadoEm: timestamptz(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('influenciadores_request').on(table.requestId, table.canonicalEmail),
    index('influenciadores_created').on(table.createdAt),
    mailboxIndex('influenciadores_mailbox'),
  ],
)

export const lideres = pgTable(
  'lideres',
  {
    id: uuid().primaryKey(),
    nome: varchar({ length: 200 }).notNull(),
    email: varchar({ length: 254 }).notNull(),
    canonicalEmail: varchar({ length: 254 }).notNull(),
    whatsapp: varchar({ length: 25 }).notNull(),
    /** AES-256-GCM. The index is an HMAC, so that equal numbers can be found without decryption. */
    encryptedCpf: bytes().notNull(),
    cpfDigest: bytes().notNull(),
    cpfConfere: boolean().notNull(),
    /** Birth date, address and CEP, as JSON (`reserved-data.ts`). Null until the record of an earlier version is encrypted. */
    encryptedReserved: bytes(),
    /** Only in records of earlier versions: emptied when `encryptedReserved` is written. Also `endereco` and `cep`. */
    nascimento: date({ mode: 'string' }),
    genero: varchar({ length: 20 }).notNull(),
    profissao: varchar({ length: 120 }).notNull(),
    endereco: varchar({ length: 300 }),
    cidade: varchar({ length: 120 }).notNull(),
    estado: varchar({ length: 2 }).notNull(),
    cep: varchar({ length: 10 }),
    experiencia: text(),
    motivacao: text().notNull(),
    disponibilidade: textArray(),
    redes_sociais: varchar({ length: 500 }),
    aceita_termos: boolean().notNull(),
    ...submission(),
    /** When the owner of the address confirmed it. Only people who want news are asked. */
    confirmadoEm: timestamptz(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('lideres_request').on(table.requestId, table.canonicalEmail),
    index('lideres_created').on(table.createdAt),
    index('lideres_not_encrypted').on(table.id).where(sql`"encryptedReserved" is null`),
    mailboxIndex('lideres_mailbox'),
  ],
)

export const campaigns = pgTable('campaigns', {
  id: identity(),
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
  /** A draft is never active. Live, closed and won campaigns are public while they are active. */
  status: varchar({ length: 10 }).$type<CampaignStatus>().notNull().default('live'),
  /** The goal. Null: the next round number. */
  meta: integer(),
  /** Whether the public count includes all signatures or only the confirmed ones. */
  countingMode: varchar({ length: 10 }).$type<CountingMode>().notNull().default('signed'),
  /** Position in lists of campaigns, ascending. */
  ordem: integer().notNull().default(0),
  /** When a draft goes live and when a live campaign closes, if that is scheduled. */
  publishAt: timestamptz(),
  closeAt: timestamptz(),
  /** Since when the campaign is closed or won. A trigger sets it, and empties it when the campaign is reopened. */
  endedAt: timestamptz(),
  /** Replaces the form of a closed or won campaign. */
  resultHtml: text(),
  /** Texts of shared links by channel. A missing text is derived from the title. */
  shareTexts: jsonb().$type<ShareTexts>().notNull().default({}),
  /** The version of `manifestoHtml`. */
  versaoManifesto: integer().notNull().default(1),
  /** Grows with every edit, so that an edit of an outdated version is detected. */
  revisao: integer().notNull().default(1),
  alteradaPor: varchar({ length: 50 }),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Former slugs of campaigns: links, open pages and signatures stored on phones still use them. */
export const campaignOldSlugs = pgTable(
  'campaign_old_slugs',
  {
    slug: textKey(100).primaryKey(),
    campaignId: bigint({ mode: 'number' })
      .notNull()
      .references(() => campaigns.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [index('campaign_old_slugs_campaign').on(table.campaignId)],
)

/** Every version of the manifesto of a campaign, including the current one. */
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
    campanha: textKey(100).notNull().default('juros'),
    nome: varchar({ length: 200 }).notNull(),
    email: varchar({ length: 254 }).notNull(),
    canonicalEmail: textKey(254).notNull(),
    whatsapp: varchar({ length: 25 }).notNull(),
    cidade: varchar({ length: 120 }).notNull(),
    estado: varchar({ length: 2 }).notNull(),
    redesSociais: varchar({ length: 500 }),
    ...submission(),
    /** The version of the manifesto that was signed. Null means the first: these rows are older than the versions. */
    versaoManifesto: integer(),
    confirmadoEm: timestamptz(),
    /** When the owner of the address was last notified of a repeated signature. */
    notifiedAt: timestamptz(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('peticoes_pessoa').on(table.campanha, table.canonicalEmail),
    // A new signature is never confirmed, so this index costs nothing while signing.
    index('peticoes_confirmadas').on(table.id).where(sql`"confirmadoEm" is not null`),
  ],
)

/** Counts of signatures by hour, without the latest changes in `signature_count_changes`; see signature-counts.ts. */
export const peticoesPorHora = pgTable(
  'peticoes_por_hora',
  {
    campanha: textKey(100).notNull(),
    estado: textKey(2).notNull(),
    hora: timestamptz().notNull(),
    n: integer().notNull(),
    /** Signatures that were confirmed in this hour, whenever they were signed. */
    confirmed: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.hora, table.campanha, table.estado] })],
)

/** Changes of the counts, written in the statement that changes the signatures, so that all sums are exact. */
export const signatureCountChanges = pgTable('signature_count_changes', {
  campanha: textKey(100).notNull(),
  estado: textKey(2).notNull(),
  hora: timestamptz().notNull(),
  n: integer().notNull(),
  /** Change of the number of confirmed signatures. `hora` is then the hour of the confirmation. */
  confirmed: integer().notNull().default(0),
})

/** The sums of `peticoes_por_hora` and of confirmed signatures by campaign. */
export const signatureTotals = pgTable('signature_totals', {
  campanha: textKey(100).primaryKey(),
  n: integer().notNull(),
  confirmed: integer().notNull().default(0),
})

/**
 * Signatures that were erased when their retention period ended, by city and version of the manifesto. The other counts keep
 * them too. `cidade` is an official name or `otherCities`: what people type may be anything.
 */
export const erasedSignatureCities = pgTable(
  'erased_signature_cities',
  {
    campanha: textKey(100).notNull(),
    estado: textKey(2).notNull(),
    cidade: textKey(120).notNull(),
    versaoManifesto: integer().notNull(),
    n: integer().notNull(),
    confirmed: integer().notNull(),
  },
  (table) => [
    primaryKey({
      name: 'erased_signature_cities_pk',
      columns: [table.campanha, table.estado, table.cidade, table.versaoManifesto],
    }),
  ],
)

/** The same signatures by origin and day in Brasília time. An empty `origem` means none. */
export const erasedSignatureOrigins = pgTable(
  'erased_signature_origins',
  {
    campanha: textKey(100).notNull(),
    origem: textKey(60).notNull(),
    dia: date({ mode: 'string' }).notNull(),
    n: integer().notNull(),
  },
  (table) => [primaryKey({ name: 'erased_signature_origins_pk', columns: [table.campanha, table.origem, table.dia] })],
)

/** Digests of requests whose record was removed; see removed-requests.ts. */
export const removedRequests = pgTable('removed_requests', {
  digest: bytes().primaryKey(),
  removedAt: timestamptz().notNull().defaultNow(),
})

/**
 * The erasure list: people of whom everything was erased, as HMACs of their mailboxes. Every node deletes its local
 * e-mails by it, and a restore of an older backup erases the people again.
 */
export const erasedPeople = pgTable(
  'erased_people',
  {
    id: identity(),
    mailboxHmac: bytes().notNull(),
    erasedAt: timestamptz().notNull(),
    /** At the wish of the owner of the mailbox: not what only has the same phone number. */
    byOwner: boolean().notNull().default(false),
  },
  (table) => [index('erased_people_at').on(table.erasedAt)],
)

/** The key of the HMACs of addresses: one row. */
export const addressKeys = pgTable('address_keys', {
  id: integer().primaryKey(),
  /** Encrypted with DATA_KEY if there is one. */
  key: bytes().notNull(),
  isEncrypted: boolean().notNull(),
  /** Recognises the key in the data folder, also if DATA_KEY was changed. */
  fingerprint: bytes().notNull(),
  /** Tables have HMACs of this key. Until the first start after an upgrade they have digests without a key. */
  isInUse: boolean().notNull().default(false),
})

export const botConversas = pgTable(
  'bot_conversas',
  {
    id: identity(),
    subscriberId: varchar({ length: 100 }).notNull().unique(),
    nome: varchar({ length: 200 }),
    email: varchar({ length: 254 }),
    /** As received. */
    whatsapp: varchar({ length: 25 }),
    /** The search key: DDD (area code) and the last eight digits. */
    telefone: textKey(10),
    mensagem: text(),
    respostaBot: text(),
    tags: textArray(),
    customFields: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    status: varchar({ length: 20 }).notNull().default('active'),
    origem: varchar({ length: 50 }).notNull().default('botconversa'),
    /** The time of the newest data, by the clock of the sender if the message has a time. Late messages are older. */
    ultimaEm: timestamptz().notNull().defaultNow(),
    statusAt: timestamptz().notNull().defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('bot_conversas_ultima').on(table.ultimaEm, table.id),
    index('bot_conversas_status').on(table.status, table.ultimaEm, table.id),
    index('bot_conversas_criada').on(table.createdAt),
    // Partial indexes, so that counting these rows reads only the index.
    index('bot_conversas_com_email').on(table.id).where(sql`email is not null`),
    index('bot_conversas_com_whatsapp').on(table.id).where(sql`whatsapp is not null`),
    index('bot_conversas_telefone').on(sql`right(telefone, 8)`),
    index('bot_conversas_mailbox').on(sql.raw(typedMailboxSql('email'))),
    index('bot_conversas_palavras').using('gin', conversationSearchVector),
  ],
)

/** Every accepted webhook call of the chatbot, with its messages. */
export const botMensagens = pgTable(
  'bot_mensagens',
  {
    id: identity(),
    conversationId: bigint({ mode: 'number' })
      .notNull()
      .references(() => botConversas.id, { onDelete: 'cascade' }),
    /** Detects a call that is delivered twice. */
    key: textKey(43).notNull(),
    mensagem: text(),
    respostaBot: text(),
    midiaUrl: text(),
    quando: timestamptz().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('bot_mensagens_chave').on(table.conversationId, table.key),
    index('bot_mensagens_quando')
      .on(table.conversationId, table.quando, table.id)
      .where(sql`coalesce(mensagem, "respostaBot", "midiaUrl") is not null`),
  ],
)

/**
 * The search index of people in the admin area: the words of each record, added after the record is stored. A
 * trigger of each table deletes them with their record.
 */
export const buscaPessoas = pgTable(
  'busca_pessoas',
  {
    kind: textKey(20).notNull(),
    id: uuid().notNull(),
    words: tsvector().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.id] }),
    // Every search reads the whole pending list of the index, so it is kept short.
    index('busca_pessoas_palavras').using('gin', table.words).with({ gin_pending_list_limit: 512 }),
  ],
)

/** The last indexed id of each kind, for each pass. A pass stays `lagSeconds` behind the newest records. */
export const buscaPessoasMarcas = pgTable(
  'busca_pessoas_marcas',
  {
    kind: textKey(20).notNull(),
    lagSeconds: integer().notNull(),
    indexedUpTo: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.lagSeconds] })],
)

/** What organisers know about a record. A record without a row has the status `novo`, no owner and no tags. */
export const peopleWorkflow = pgTable(
  'people_workflow',
  {
    kind: textKey(20).notNull(),
    id: uuid().notNull(),
    status: varchar({ length: 20 }).$type<WorkflowStatus>().notNull().default('novo'),
    ownerId: bigint({ mode: 'number' }).references(() => adminUsers.id, { onDelete: 'set null' }),
    tags: textArray(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.id] }),
    index('people_workflow_status').on(table.kind, table.status, table.id),
    index('people_workflow_owner').on(table.ownerId, table.kind, table.id),
    index('people_workflow_tags').using('gin', table.tags),
  ],
)

/** Notes of organisers about a record. A trigger of each table deletes them with their record. */
export const peopleNotes = pgTable(
  'people_notes',
  {
    id: identity(),
    kind: textKey(20).notNull(),
    recordId: uuid().notNull(),
    author: varchar({ length: 50 }).notNull(),
    text: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('people_notes_record').on(table.kind, table.recordId, table.id)],
)

/** Filters of the lists of people that the team has saved. */
export const savedFilters = pgTable(
  'saved_filters',
  {
    id: identity(),
    kind: textKey(20).notNull(),
    name: varchar({ length: 60 }).notNull(),
    filters: jsonb().$type<Record<string, string>>().notNull(),
    author: varchar({ length: 50 }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique('saved_filters_name').on(table.kind, table.name)],
)

/** Imports of people from files. The file is deleted a day after the end. */
export const imports = pgTable('imports', {
  id: identity(),
  kind: textKey(20).notNull(),
  status: varchar({ length: 20 }).$type<ImportStatus>().notNull().default('staged'),
  fileName: varchar({ length: 200 }).notNull(),
  file: bytes(),
  /** The column of the file for each field, and the settings of the import. */
  mapping: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  campanha: textKey(100),
  origem: varchar({ length: 60 }),
  legalBasis: text(),
  total: integer().notNull().default(0),
  processed: integer().notNull().default(0),
  accepted: integer().notNull().default(0),
  rejected: integer().notNull().default(0),
  reason: text(),
  author: varchar({ length: 50 }).notNull(),
  /** The process that runs the import, and until when others leave it alone. */
  leasedBy: uuid(),
  leasedUntil: timestamptz(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Rejected lines of an import, without personal data. */
export const importRejections = pgTable(
  'import_rejections',
  {
    importId: bigint({ mode: 'number' })
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    line: integer().notNull(),
    reason: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.line] })],
)

/** Every saved version of the site settings. The newest is in effect. */
export const siteSettings = pgTable('site_settings', {
  version: identity(),
  settings: jsonb().$type<Record<string, unknown>>().notNull(),
  author: varchar({ length: 50 }),
  createdAt: createdAt(),
})

/** News of campaigns: drafts, scheduled and published. */
export const news = pgTable(
  'news',
  {
    id: identity(),
    campaignId: bigint({ mode: 'number' })
      .notNull()
      .references(() => campaigns.id, { onDelete: 'cascade' }),
    /** The last part of the public address, unique within the campaign. Given at the first publication on the page. */
    number: integer(),
    title: varchar({ length: 200 }).notNull(),
    html: text().notNull(),
    imageUrl: varchar({ length: 500 }),
    status: varchar({ length: 10 }).$type<NewsStatus>().notNull().default('draft'),
    onPage: boolean().notNull().default(true),
    byEmail: boolean().notNull().default(false),
    segment: jsonb().$type<NewsSegment>().notNull(),
    publishAt: timestamptz(),
    publishedAt: timestamptz(),
    /** Grows with every edit, so that an edit of an outdated version is detected. */
    revision: integer().notNull().default(1),
    author: varchar({ length: 50 }).notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique('news_number').on(table.campaignId, table.number),
    index('news_publish_at').on(table.publishAt).where(sql`status = 'scheduled'`),
  ],
)

/** The e-mails of a news item: the count of its recipients, and the progress of sending. */
export const newsSends = pgTable('news_sends', {
  newsId: bigint({ mode: 'number' })
    .primaryKey()
    .references(() => news.id, { onDelete: 'cascade' }),
  status: varchar({ length: 10 }).$type<SendStatus>().notNull(),
  /** Sending begins when the recipients are prepared. Otherwise they are only counted. */
  sendsWhenPrepared: boolean().notNull().default(false),
  /** The segment of these recipients. */
  segment: jsonb().$type<NewsSegment>().notNull(),
  /** The kind and the last id that preparation has read. */
  scannedKind: textKey(20),
  scannedUpTo: uuid(),
  /** Records to read, an estimate, and records read. */
  toScan: integer().notNull().default(0),
  scanned: integer().notNull().default(0),
  recipients: integer().notNull().default(0),
  /** The number of excluded records by reason. */
  excluded: jsonb().$type<Record<string, number>>().notNull().default({}),
  preparedAt: timestamptz(),
  /** The last recipient that was moved into the outbox, and whether all were. */
  queuedUpTo: bytes(),
  isQueued: boolean().notNull().default(false),
  accepted: integer().notNull().default(0),
  rejected: integer().notNull().default(0),
  /** Recipients who may no longer get the e-mail when it is their turn. */
  skipped: integer().notNull().default(0),
  unsubscribed: integer().notNull().default(0),
  startedAt: timestamptz(),
  endedAt: timestamptz(),
  /** Why the site paused it: for administrators, in Portuguese. Null if an administrator did. */
  pauseReason: text(),
  leasedBy: uuid(),
  leasedUntil: timestamptz(),
})

/**
 * The mailboxes that get a news item. Each gets it for one record, from which the address is read when it is sent. No
 * foreign key, because every row of a batch would be checked.
 */
export const newsRecipients = pgTable(
  'news_recipients',
  {
    newsId: bigint({ mode: 'number' }).notNull(),
    addressHmac: bytes().notNull(),
    kind: textKey(20).notNull(),
    recordId: uuid().notNull(),
    outcome: varchar({ length: 10 }).$type<'accepted' | 'rejected' | 'skipped'>(),
  },
  (table) => [
    primaryKey({ columns: [table.newsId, table.addressHmac] }),
    // For the trigger that removes the recipient of a deleted record.
    index('news_recipients_record').on(table.recordId),
  ],
)

/** Segments that the team has saved. */
export const newsSegments = pgTable('news_segments', {
  id: identity(),
  name: varchar({ length: 60 }).notNull().unique(),
  segment: jsonb().$type<NewsSegment>().notNull(),
  author: varchar({ length: 50 }).notNull(),
  createdAt: createdAt(),
})

/** Mailboxes that want no news of one campaign. */
export const newsOptOuts = pgTable(
  'news_opt_outs',
  {
    addressHmac: bytes().notNull(),
    campaignId: bigint({ mode: 'number' })
      .notNull()
      .references(() => campaigns.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.addressHmac, table.campaignId] })],
)

export const carouselContents = pgTable('carousel_contents', {
  id: identity(),
  titulo: varchar({ length: 200 }).notNull(),
  categoria: varchar({ length: 50 }).notNull(),
  descricao: text().notNull(),
  imagemUrl: varchar({ length: 500 }).notNull(),
  ordem: integer().notNull().default(0),
  isActive: boolean().notNull().default(true),
  /** The petition that the content belongs to. */
  campaignId: bigint({ mode: 'number' }).references(() => campaigns.id, { onDelete: 'set null' }),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Images in all formats that are served. The key is the digest of the largest page format. */
export const media = pgTable(
  'media',
  {
    sha256: varchar({ length: 64 }).notNull(),
    format: varchar({ length: 10 }).notNull(),
    contentType: varchar({ length: 20 }).notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    bytes: bytes().notNull(),
    /** Until then the image is kept although unused: an administrator is still writing the content that uses it. */
    reservedUntil: timestamptz(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.sha256, table.format] })],
)

/** Counters of events, for numbers that are read too often to be counted each time. */
export const contadores = pgTable('contadores', {
  name: varchar({ length: 40 }).primaryKey(),
  n: bigint({ mode: 'number' }).notNull(),
})

/** Work to do for a record after the response. Written in the same transaction as the record, deleted when done. */
export const outbox = pgTable(
  'outbox',
  {
    id: identity(),
    kind: varchar({ length: 40 }).notNull(),
    payload: jsonb().notNull(),
    attempts: integer().notNull().default(0),
    /** When the row is due. While a worker holds it: the end of the lease, after which other workers may claim it. */
    dueAt: timestamptz().notNull().defaultNow(),
    dead: boolean().notNull().default(false),
    reason: text(),
    createdAt: createdAt(),
    /** The worker that holds the lease. */
    leasedBy: uuid(),
  },
  (table) => [
    index('outbox_proxima').on(table.dueAt, table.id).where(sql`not dead`),
    index('outbox_tipo').on(table.kind, table.dueAt, table.id).where(sql`not dead`),
    index('outbox_paradas').on(table.id).where(sql`dead`),
    // Progress of one news item while many deliveries of others wait.
    index('outbox_news').on(sql`((payload->>'novidade')::bigint)`, table.dueAt).where(sql`kind = 'novidade'`),
  ],
)

/** Delivery destinations with a rate limit that all servers share: the next delivery is sent at `freeAt` or later. */
export const destinos = pgTable('destinos', {
  name: varchar({ length: 40 }).primaryKey(),
  freeAt: timestamptz().notNull(),
})

/** Spreadsheets: the server that holds the lease, the writes of the last minute, and the last success and failure. */
export const planilhas = pgTable('planilhas', {
  name: varchar({ length: 200 }).primaryKey(),
  leasedBy: uuid(),
  leasedUntil: timestamptz(),
  writes: timestamptz().array().notNull().default(sql`'{}'`),
  succeededAt: timestamptz(),
  failedAt: timestamptz(),
  reason: text(),
})

/**
 * The state of a mailbox, stored under an HMAC, so that it remains without personal data when the person's
 * records are deleted. Only `rejectedAt` is stored under the HMAC of the canonical address: a mail server that
 * rejects `name+tag@` may accept `name@`.
 */
export const enderecos = pgTable(
  'enderecos',
  {
    addressHmac: bytes().primaryKey(),
    /** Unsubscribed: no news and no reminders. */
    unsubscribedAt: timestamptz(),
    /** "Nunca mais me escrevam": no e-mail at all. */
    doNotContactAt: timestamptz(),
    /** Suppressed: the mail server rejected the address, or a bounce or complaint was reported. */
    rejectedAt: timestamptz(),
    suppressionKind: varchar({ length: 20 }),
    /** The reply of the mail server, without addresses. */
    suppressionDetail: text(),
    /** For the suppression list. Deleted when the person is erased. */
    suppressedEmail: varchar({ length: 254 }),
    /** When the owner was last notified of a repeated signature. */
    notifiedAt: timestamptz(),
    /** The day of the last news e-mail, in Brasília time, and the number of news e-mails of that day. */
    newsSentOn: date({ mode: 'string' }),
    newsSentCount: integer(),
  },
  (table) => [
    index('enderecos_suppressed').on(table.rejectedAt, table.addressHmac).where(sql`"rejectedAt" is not null`),
    index('enderecos_without_news').on(table.addressHmac).where(sql.raw(hasNoNewsSql)),
  ],
)

/** The number of e-mails to a mailbox per campaign or form. */
export const emailsPorEndereco = pgTable(
  'emails_por_endereco',
  {
    addressHmac: bytes().notNull(),
    campanha: textKey(100).notNull(),
    n: integer().notNull(),
    /** When the mailbox was last asked to confirm the news box of a repeat: once per campaign and unsubscribe. */
    newsAskedAt: timestamptz(),
    changedAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.addressHmac, table.campanha] }),
    index('emails_por_endereco_changed').on(table.changedAt),
  ],
)

/** E-mail links, each for one action, stored under the digest of their secret. */
export const emailTokens = pgTable(
  'email_tokens',
  {
    digest: bytes().primaryKey(),
    action: varchar({ length: 20 }).notNull(),
    addressHmac: bytes().notNull(),
    recordId: uuid(),
    expiresAt: timestamptz().notNull(),
    /** Set if the button of the link also accepts the news. A later unsubscribe invalidates the link. */
    newsAskedAt: timestamptz(),
    /** The news item whose e-mail contains the link. */
    newsId: bigint({ mode: 'number' }),
    /** The address of a link to a person's own data, encrypted with the secret of the link. */
    sealedAddress: bytes(),
    /** The first download of the person's own data, which is in the audit log. */
    downloadedAt: timestamptz(),
  },
  (table) => [index('email_tokens_expira').on(table.expiresAt), index('email_tokens_address').on(table.addressHmac)],
)

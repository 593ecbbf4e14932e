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

/** Who did what in the admin area, and when. Kept when the account is gone. */
export const adminActions = pgTable(
  'admin_actions',
  {
    id: serial(),
    username: varchar({ length: 50 }).notNull(),
    acao: varchar({ length: 100 }).notNull(),
    alvo: text().notNull().default(''),
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
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

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
    confirmadoEm: moment(),
    /** When the owner of the address was last told that somebody signed again with it. */
    avisadoEm: moment(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('peticoes_pessoa').on(table.campanha, table.emailCanonico)],
)

/** The ledger of signatures: written in the statement that stores them, so that the parts always sum to the total. */
export const peticoesPorHora = pgTable(
  'peticoes_por_hora',
  {
    campanha: key(100).notNull(),
    estado: key(2).notNull(),
    hora: moment().notNull(),
    n: integer().notNull(),
  },
  // By hour first: counting reads the last hours alone.
  (table) => [primaryKey({ columns: [table.hora, table.campanha, table.estado] })],
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

export const botConversas = pgTable('bot_conversas', {
  id: serial(),
  subscriberId: varchar({ length: 100 }).notNull().unique(),
  nome: varchar({ length: 200 }),
  email: varchar({ length: 254 }),
  whatsapp: varchar({ length: 25 }),
  mensagem: text(),
  respostaBot: text(),
  tags: list(),
  customFields: jsonb().notNull().default({}),
  status: varchar({ length: 20 }).notNull().default('active'),
  origem: varchar({ length: 50 }).notNull().default('botconversa'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

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
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.sha256, table.formato] })],
)

/** What is still to be done for a record after its answer: written with the record, removed when done. */
export const outbox = pgTable(
  'outbox',
  {
    id: serial(),
    tipo: varchar({ length: 40 }).notNull(),
    dados: jsonb().notNull(),
    tentativas: integer().notNull().default(0),
    proxima: moment().notNull().defaultNow(),
    parada: boolean().notNull().default(false),
    motivo: text(),
    createdAt: createdAt(),
  },
  (table) => [index('outbox_proxima').on(table.proxima, table.id).where(sql`not parada`)],
)

// Everything that is stored about an address, for the person who reads its mailbox.

import { workflowStatuses } from '#contract/admin/people-workflow.ts'
import { suppressionKinds } from '#contract/admin/suppressions.ts'
import { maskCpf } from '#contract/cpf.ts'
import { emailLinkPaths } from '#contract/email-links.ts'
import { fillPath } from '#contract/endpoint.ts'
import { type OwnData, type OwnRecord, type RecordKind, recordKinds } from '#contract/own-data.ts'
import { correctionSchemas } from '#contract/own-data-corrections.ts'
import { mailboxOf } from '#server/core/canonical-email.ts'
import { type EncryptionKeys, encryptionOf } from '#server/core/encryption.ts'
import { preferencesSecretOf } from '#server/core/own-data-link.ts'
import { singleFlight } from '#server/core/single-flight.ts'
import type { Database } from '#server/db/database.ts'
import { readMailboxState } from '#server/db/mailbox-state.ts'
import { findConversations, findRecords } from '#server/db/own-data.ts'
import { type PersonColumn, type PersonRow, peopleDescriptors } from '#server/db/people-descriptors.ts'
import { decryptReserved } from '#server/db/reserved-data.ts'
import type { OwnDataLink, OwnDataLinks } from '#server/features/own-data/own-data-link.ts'

interface OwnDataDeps {
  database: Database
  links: OwnDataLinks
  config: EncryptionKeys
}

/** Shown in another place, or in another format, or only of use to the team. */
const omittedTitles = ['Campanha', 'Confirmada', 'Confirmada em', 'WhatsApp E.164', 'CPF confere']
/** A conversation keeps all its messages; the file would have no limit. */
const maxMessages = 2_000

const quotaNames: Record<string, string> = {
  '': 'Cadastros já apagados',
  '#voluntario': 'Cadastro de voluntário',
  '#influenciador': 'Inscrição de influenciador',
  '#lider': 'Inscrição de liderança',
  '#meus-dados': 'Links para os seus dados',
}

const newsOutcomes: Record<string, string> = {
  accepted: 'enviada',
  rejected: 'recusada pelo servidor de e-mail',
  skipped: 'não enviada',
}

interface StoredRecord extends PersonRow {
  campaignTitle: string | null
  versaoConsentimento: string
  versaoManifesto: number | null
  correcao: Record<string, string | null>
  importOrigin: string | null
  importBasis: string | null
  importedAt: Date | null
  status: string | null
  tags: string[] | null
  notes: Date[]
}

interface ConversationRow {
  id: string
  nome: string | null
  email: string
  whatsapp: string | null
  tags: string[]
  customFields: Record<string, unknown>
  status: string
  origem: string
  createdAt: Date
  ultimaEm: Date
}

export const columnsOfKind = (kind: RecordKind): PersonColumn[] => peopleDescriptors[kind].columns

export function createOwnData({ database, links, config }: OwnDataDeps) {
  const { orm, query } = database
  const encryption = encryptionOf(config)

  function textOf({ key, cell }: PersonColumn, row: PersonRow): string {
    if (key === 'encryptedCpf') return maskCpf(row.reserved?.cpf ?? null)
    const value = cell(row[key], row)
    return value instanceof Date ? value.toISOString() : String(value ?? '')
  }

  function toRecord(tipo: RecordKind, stored: StoredRecord): OwnRecord {
    const row = tipo === 'lideres' ? { ...stored, reserved: decryptReserved(encryption, stored) } : stored
    const shown = columnsOfKind(tipo).filter(({ title }) => !omittedTitles.includes(title))
    return {
      id: row.id,
      tipo,
      campanha: tipo === 'assinaturas' ? (row.campaignTitle ?? row.campanha ?? '') : null,
      enviadoEm: row.createdAt.toISOString(),
      confirmadoEm: row.confirmadoEm?.toISOString() ?? null,
      dados: shown
        .map((column) => ({ nome: column.title, valor: textOf(column, row) }))
        .filter(({ valor }) => valor !== ''),
      versaoConsentimento: row.versaoConsentimento,
      versaoManifesto: row.versaoManifesto,
      importacao: row.importedAt
        ? { origem: row.importOrigin ?? '', baseLegal: row.importBasis ?? '', quando: row.importedAt.toISOString() }
        : null,
      acompanhamento: {
        situacao: workflowStatuses[(row.status ?? 'novo') as keyof typeof workflowStatuses] ?? row.status,
        etiquetas: row.tags ?? [],
        notas: row.notes.map((time) => time.toISOString()),
      },
      correcao: Object.keys(correctionSchemas[tipo].shape).map((campo) => ({
        campo,
        valor: row.correcao[campo] ?? '',
      })),
    }
  }

  async function readRecords(tipo: RecordKind, ids: string[]): Promise<OwnRecord[]> {
    if (ids.length === 0) return []
    const { table } = peopleDescriptors[tipo]
    const isSignature = tipo === 'assinaturas'
    const sqlByKey = new Map<string, string>([
      ['id', 'p.id'],
      ['createdAt', 'p."createdAt"'],
      ...columnsOfKind(tipo).map(({ key, sql }) => [key, sql] as const),
      ...(tipo === 'lideres' ? [['encryptedReserved', 'p."encryptedReserved"'] as const] : []),
    ])
    const columns = [...sqlByKey].map(([key, sql]) => `${sql} as "${key}"`)
    const fields = Object.keys(correctionSchemas[tipo].shape).map((name) => `'${name}', p."${name}"`)
    const rows = await query<StoredRecord & object>(
      `own-${table}`,
      `select ${columns.join(', ')}, p."versaoConsentimento", jsonb_build_object(${fields.join(', ')}) as correcao,
        ${isSignature ? 'p."versaoManifesto", titulo' : 'null::int as "versaoManifesto", null'} as "campaignTitle",
        i.origem as "importOrigin", i."legalBasis" as "importBasis", i."createdAt" as "importedAt", w.status, w.tags,
        array(select n."createdAt" from people_notes n where n.kind = $2 and n."recordId" = p.id order by n.id) as notes
      from ${table} p ${isSignature ? 'left join campaigns on slug = campanha' : ''}
      left join imports i on i.id = p."importId" left join people_workflow w on w.kind = $2 and w.id = p.id
      where p.id = any($1::uuid[]) order by p.id`,
      [ids, tipo],
    )
    return rows.map((row) => toRecord(tipo, row))
  }

  async function readConversation(id: number) {
    const [[row], messages] = await Promise.all([
      query<ConversationRow & object>('own-conversation', 'select * from bot_conversas where id = $1', [id]),
      query<{ quando: Date; mensagem: string | null; resposta: string | null }>(
        'own-messages',
        `select quando, mensagem, "respostaBot" as resposta from bot_mensagens
        where "conversationId" = $1 and coalesce(mensagem, "respostaBot") is not null order by quando desc, id desc limit ${maxMessages}`,
        [id],
      ),
    ])
    if (!row) return []
    const values = {
      Nome: row.nome,
      'E-mail': row.email,
      WhatsApp: row.whatsapp,
      Etiquetas: row.tags.join(', '),
      Situação: row.status,
      Origem: row.origem,
      ...Object.fromEntries(
        Object.entries(row.customFields).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
    }
    return [
      {
        inicio: row.createdAt.toISOString(),
        ultima: row.ultimaEm.toISOString(),
        dados: Object.entries(values).flatMap(([nome, valor]) => (valor ? [{ nome, valor }] : [])),
        mensagens: messages.reverse().map(({ quando, ...texts }) => ({ quando: quando.toISOString(), ...texts })),
      },
    ]
  }

  async function readEmails({ canonicalEmail, addressHmac }: OwnDataLink, ids: string[]): Promise<OwnData['emails']> {
    const [state, titles, news, optOuts, [suppression]] = await Promise.all([
      readMailboxState(database, canonicalEmail, ids),
      query<{ slug: string; titulo: string }>('own-campaigns', 'select slug, titulo from campaigns', []),
      query<{ titulo: string; outcome: string | null }>(
        'own-news',
        `select title as titulo, outcome from news cross join lateral (
          select outcome from news_recipients r where r."newsId" = news.id and r."addressHmac" = $1) found
        where exists (select from news_sends s where s."newsId" = news.id and s."startedAt" is not null) order by news.id`,
        [addressHmac],
      ),
      query<{ titulo: string }>(
        'own-opt-outs',
        `select titulo from news_opt_outs o join campaigns on campaigns.id = o."campaignId" where o."addressHmac" = $1 order by titulo`,
        [addressHmac],
      ),
      query<{ kind: keyof typeof suppressionKinds }>(
        'own-suppression',
        `select "suppressionKind" as kind from enderecos
        where "addressHmac" = $1 and "suppressionKind" is not null`,
        [orm.addressHmac(canonicalEmail)],
      ),
    ])
    const titleOf = (slug: string) => titles.find((campaign) => campaign.slug === slug)?.titulo ?? slug
    const { enviados, paradas: _, ...dates } = state
    return {
      ...dates,
      enviados: enviados.map(({ campanha, n, ultimo }) => ({
        assunto: quotaNames[campanha] ?? titleOf(campanha),
        quantidade: n,
        ultimo,
      })),
      novidades: news.map(({ titulo, outcome }) => ({ titulo, situacao: newsOutcomes[outcome ?? ''] ?? 'na fila' })),
      motivoDaRecusa: suppression ? (suppressionKinds[suppression.kind] ?? suppression.kind) : null,
      semNovidadesDe: optOuts.map(({ titulo }) => titulo),
    }
  }

  return {
    /** Requests for the same link at the same time share the queries. */
    read: singleFlight(async (token: string): Promise<OwnData> => {
      const link = await links.open(token)
      const found = await findRecords(orm, link.email)
      const conversations = await findConversations(orm, link.email)
      const idsOf = (tipo: RecordKind) =>
        found.filter(({ table }) => table === peopleDescriptors[tipo].table).map(({ id }) => id)
      const [registros, conversas, emails] = await Promise.all([
        Promise.all(recordKinds.map((tipo) => readRecords(tipo, idsOf(tipo)))),
        Promise.all(conversations.map(readConversation)),
        readEmails(
          link,
          found.map(({ id }) => id),
        ),
      ])
      return {
        success: true,
        endereco: link.email,
        enderecoPrincipal:
          mailboxOf(link.canonicalEmail) === link.canonicalEmail ? null : mailboxOf(link.canonicalEmail),
        geradoEm: new Date().toISOString(),
        linkValeAte: link.expiresAt.toISOString(),
        registros: registros.flat(),
        conversas: conversas.flat(),
        emails,
        preferencias: fillPath(emailLinkPaths.descadastrar, { token: preferencesSecretOf(token) }),
      }
    }),
  }
}

// Every change that an administrator makes and its entry in the audit log exist together or not at all.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as campaigns from '#contract/admin/campaigns.ts'
import * as carousel from '#contract/admin/contents.ts'
import * as conversations from '#contract/admin/conversations.ts'
import * as images from '#contract/admin/images.ts'
import * as passkeys from '#contract/admin/passkeys.ts'
import * as people from '#contract/admin/people.ts'
import * as peopleEdits from '#contract/admin/people-edits.ts'
import * as peopleImport from '#contract/admin/people-import.ts'
import * as savedFilters from '#contract/admin/saved-filters.ts'
import * as secondFactor from '#contract/admin/second-factor.ts'
import * as session from '#contract/admin/session.ts'
import * as siteSettings from '#contract/admin/site.ts'
import * as suppressions from '#contract/admin/suppressions.ts'
import * as system from '#contract/admin/system.ts'
import * as team from '#contract/admin/team.ts'
import { type Administrator, credentials, enter } from '#tests/helpers/administrator.ts'
import { createPasskey } from '#tests/helpers/authenticator.ts'
import { callWebhook, webhookSecret } from '#tests/helpers/chatbot.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aCampaign, aChatbotCall, aSignature } from '#tests/helpers/factories.ts'
import { failInserts, postJson } from '#tests/helpers/forms.ts'
import { aPicture, imageForm } from '#tests/helpers/pictures.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite({ BOTCONVERSA_WEBHOOK_TOKEN: webhookSecret })
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.empty()
  await site.rows(`delete from admin_users where username <> 'admin'`)
  await site.rows('delete from admin_passkeys')
  admin = await enter(site)
})

/** All data that administrators change, without the last use of sessions and the counts of refused passwords. */
async function snapshot(): Promise<string> {
  const [row] = await site.rows<{ all: string }>(`select json_build_array(
    (select json_agg(to_jsonb(t) - array['refusedCount', 'refusedSince', 'refusedNoticeAt'] order by id) from admin_users t),
    (select json_agg(json_build_array(t."tokenHash", t."verifiedAt") order by "tokenHash") from admin_sessions t),
    (select json_agg(t order by id) from campaigns t), (select json_agg(t order by id) from carousel_contents t),
    (select json_agg(t order by id) from bot_conversas t), (select json_agg(t order by id) from outbox t),
    (select json_agg(t order by id) from peticoes t), (select json_agg(t order by campanha, estado, hora) from ${signatureCountsSql.replace(/ counted$/, ' t')}),
    (select json_agg(t order by kind, id) from people_workflow t), (select json_agg(t order by id) from people_notes t),
    (select json_agg(t order by version) from site_settings t),
    (select json_agg(t order by "adminUserId") from admin_totp t), (select json_agg(t order by "codeHash") from admin_recovery_codes t),
    (select json_agg(t order by id) from admin_passkeys t), (select json_agg(t order by "tokenHash") from admin_challenges t),
    (select json_agg(t order by id) from saved_filters t), (select json_agg(t order by "addressHmac") from enderecos t),
    (select json_agg(json_build_array(t.id, t.status) order by id) from imports t),
    (select json_agg(t.sha256 || t.format order by sha256, format) from media t))::text as all`)
  return row?.all ?? ''
}

const idIn = async (table: string, order = 'id') =>
  (await site.rows<{ id: string }>(`select id from ${table} order by ${order} limit 1`))[0]?.id
const aMember = (username: string) => ({ username, email: `${username}@example.org`, password: 'senha-da-fulana-1' })
const aContent = async () => {
  const form = imageForm(await aPicture())
  for (const [name, value] of [
    ['titulo', 'Cartaz novo'],
    ['categoria', 'FEIRA'],
    ['descricao', 'Texto'],
  ] as const)
    form.set(name, value)
  return form
}
const contents = '/api/admin/carousel-contents'

/** A POST that changes nothing. */
const readOnlyActions = ['Revelou dados reservados de líder']

/** By audit entry: prepares what the action needs, and returns the call under test. */
const actions: Record<string, () => Promise<() => Promise<Response>>> = {
  async 'Criou administrador'() {
    return () => admin.call('POST', '/api/admin/equipe', aMember('fulana'))
  },
  async 'Desativou administrador'() {
    await admin.ask('POST', '/api/admin/equipe', aMember('fulana'))
    const id = await idIn('admin_users', 'id desc')
    return () => admin.call('POST', `/api/admin/equipe/${id}/desativar`)
  },
  async 'Mudou o papel de administrador'() {
    await admin.ask('POST', '/api/admin/equipe', aMember('fulana'))
    const id = await idIn('admin_users', 'id desc')
    return () => admin.call('PUT', `/api/admin/equipe/${id}/papel`, { role: 'conteudo' })
  },
  async 'Ativou administrador'() {
    await admin.ask('POST', '/api/admin/equipe', aMember('fulana'))
    const id = await idIn('admin_users', 'id desc')
    await admin.ask('POST', `/api/admin/equipe/${id}/desativar`)
    return () => admin.call('POST', `/api/admin/equipe/${id}/ativar`)
  },
  async 'Redefiniu a senha de administrador'() {
    await admin.ask('POST', '/api/admin/equipe', aMember('fulana'))
    const id = await idIn('admin_users', 'id desc')
    return () => admin.call('POST', `/api/admin/equipe/${id}/senha`)
  },
  async 'Trocou a própria senha'() {
    await admin.ask('POST', '/api/admin/equipe', aMember('fulana'))
    const fulana = await enter(site, { username: 'fulana', password: 'senha-da-fulana-1' })
    const change = { current: 'senha-da-fulana-1', password: 'outra-senha-longa' }
    return () => fulana.call('POST', '/api/admin/conta/senha', change)
  },
  async 'Confirmou a própria senha'() {
    return () => admin.call('POST', '/api/admin/conta/confirmar', { ownPassword: credentials.password })
  },
  async 'Começou a ligar a verificação em duas etapas'() {
    return () => admin.call('POST', `${ownFactor}/aplicativo`)
  },
  async 'Ligou a verificação em duas etapas'() {
    const member = await aMemberWithFactor({ isConfirmed: false })
    return () => member.admin.call('POST', `${ownFactor}/aplicativo/confirmar`, { code: member.code() })
  },
  async 'Desligou a verificação em duas etapas'() {
    const member = await aMemberWithFactor()
    return () => member.admin.call('POST', `${ownFactor}/aplicativo/desligar`, { ownPassword: member.password })
  },
  async 'Fez códigos de recuperação novos'() {
    const member = await aMemberWithFactor()
    return () => member.admin.call('POST', `${ownFactor}/recuperacao`, { ownPassword: member.password })
  },
  async 'Começou a adicionar uma chave de acesso'() {
    return () => admin.call('POST', `${ownFactor}/chaves/opcoes`)
  },
  async 'Adicionou uma chave de acesso'() {
    const { challenge } = (await admin.ask<Options>('POST', `${ownFactor}/chaves/opcoes`)).options
    const passkey = createPasskey({ origin: 'https://mobiliza.example.org' }).register({ challenge })
    return () => admin.call('POST', `${ownFactor}/chaves`, { nome: 'Celular', challenge, passkey })
  },
  async 'Retirou uma chave de acesso'() {
    const member = await aMemberWithPasskey()
    const path = `${ownFactor}/chaves/${await idIn('admin_passkeys')}/retirar`
    return () => member.admin.call('POST', path, { ownPassword: member.password })
  },
  async 'Começou a confirmar com a chave de acesso'() {
    const member = await aMemberWithPasskey()
    return () => member.admin.call('POST', '/api/admin/conta/confirmar/chave')
  },
  async 'Retirou a verificação em duas etapas de administrador'() {
    await aMemberWithFactor()
    const id = await idIn('admin_users', 'id desc')
    return () => admin.call('POST', `/api/admin/equipe/${id}/segundo-fator`)
  },
  async 'Encerrou as próprias outras sessões'() {
    await enter(site)
    return () => admin.call('POST', '/api/admin/conta/encerrar-outras')
  },
  async Entrou() {
    return () => postJson(`${site.url}/api/admin/login`, credentials)
  },
  async Saiu() {
    return () => admin.call('POST', '/api/admin/logout')
  },
  async 'Alterou configurações do site'() {
    const { site: stored } = await admin.ask<{ site: siteSettings.StoredSite }>('GET', '/api/admin/site')
    return () => admin.call('PUT', '/api/admin/site', { ...stored.settings, versao: stored.versao, lema: 'Outro lema' })
  },
  async 'Restaurou configurações do site'() {
    const { site: first } = await admin.ask<{ site: siteSettings.StoredSite }>('GET', '/api/admin/site')
    const save = (lema: string, versao: number) =>
      admin.ask<{ site: siteSettings.StoredSite }>('PUT', '/api/admin/site', { ...first.settings, lema, versao })
    const { site: second } = await save('Um lema', first.versao)
    const { site: third } = await save('Dois lemas', second.versao)
    const path = `/api/admin/site/versoes/${second.versao}/restaurar`
    return () => admin.call('POST', path, { versao: third.versao })
  },
  async 'Criou campanha'() {
    const campaign = aCampaign()
    return () => admin.call('POST', '/api/admin/campaigns', campaign)
  },
  async 'Alterou campanha'() {
    const fields = aCampaign()
    const { campaign } = await admin.ask<{ campaign: { id: number; revisao: number } }>(
      'POST',
      '/api/admin/campaigns',
      fields,
    )
    const edit = { ...fields, titulo: 'Outro título', revisao: campaign.revisao }
    return () => admin.call('PUT', `/api/admin/campaigns/${campaign.id}`, edit)
  },
  async 'Desativou campanha'() {
    const id = await idIn('campaigns')
    await admin.ask('POST', `/api/admin/campaigns/${id}/ativar`)
    return () => admin.call('POST', `/api/admin/campaigns/${id}/desativar`)
  },
  async 'Ativou campanha'() {
    const id = await idIn('campaigns')
    await admin.ask('POST', `/api/admin/campaigns/${id}/desativar`)
    return () => admin.call('POST', `/api/admin/campaigns/${id}/ativar`)
  },
  async 'Mudou a situação de campanha'() {
    const id = await aDraft()
    return () => admin.call('POST', `/api/admin/campaigns/${id}/situacao`, { status: 'live' })
  },
  async 'Agendou campanha'() {
    const id = await aDraft()
    const none = { publishAt: null, closeAt: null }
    const times = { publishAt: '2099-01-01T09:00', closeAt: null, antes: none }
    return () => admin.call('PUT', `/api/admin/campaigns/${id}/agenda`, times)
  },
  async 'Duplicou campanha'() {
    const id = await aDraft()
    return () => admin.call('POST', `/api/admin/campaigns/${id}/duplicar`)
  },
  async 'Apagou rascunho de campanha'() {
    const id = await aDraft()
    return () => admin.call('DELETE', `/api/admin/campaigns/${id}`)
  },
  async 'Ordenou as campanhas'() {
    const { campaigns } = await admin.ask<{ campaigns: { id: number }[] }>('GET', '/api/admin/campaigns')
    const [id, vizinha] = campaigns.map((campaign) => campaign.id)
    return () => admin.call('PUT', '/api/admin/campaigns/ordem', { id, vizinha, lado: 'depois' })
  },
  async 'Restaurou versão do manifesto'() {
    const fields = aCampaign()
    type Saved = { campaign: { id: number; revisao: number } }
    const { campaign } = await admin.ask<Saved>('POST', '/api/admin/campaigns', fields)
    const path = `/api/admin/campaigns/${campaign.id}`
    const edit = { ...fields, manifestoHtml: '<p>Outro texto</p>', revisao: campaign.revisao }
    const { revisao } = (await admin.ask<Saved>('PUT', path, edit)).campaign
    return () => admin.call('POST', `${path}/versoes/1/restaurar`, { revisao })
  },
  async 'Enviou imagem'() {
    const form = imageForm(await aPicture())
    return () => admin.call('POST', '/api/admin/imagens', form)
  },
  async 'Publicou conteúdo'() {
    const form = await aContent()
    return () => admin.call('POST', contents, form)
  },
  async 'Editou conteúdo'() {
    const { content } = await admin.ask<{ content: { id: number; updatedAt: string } }>(
      'POST',
      contents,
      await aContent(),
    )
    const form = await aContent()
    form.set('titulo', 'Cartaz com outro título')
    form.set('updatedAt', content.updatedAt)
    return () => admin.call('PUT', `${contents}/${content.id}`, form)
  },
  async 'Mudou a exibição de conteúdo'() {
    const id = await idIn('carousel_contents')
    await site.rows('update carousel_contents set "isActive" = true')
    return () => admin.call('PATCH', `${contents}/${id}`, { isActive: false })
  },
  async 'Ordenou os conteúdos'() {
    const rows = await site.rows<{ id: string }>('select id from carousel_contents order by ordem, id')
    const antes = rows.map(({ id }) => Number(id))
    const order = { ids: antes.toReversed(), antes }
    return () => admin.call('PUT', `${contents}/ordem`, order)
  },
  async 'Removeu conteúdo'() {
    const id = await idIn('carousel_contents', 'id desc')
    return () => admin.call('DELETE', `${contents}/${id}`)
  },
  async 'Mudou o status de uma conversa'() {
    await aConversation()
    const id = await idIn('bot_conversas')
    return () => admin.call('PATCH', `/api/admin/botconversa/${id}`, { status: 'completed' })
  },
  async 'Apagou uma conversa'() {
    await aConversation()
    const id = await idIn('bot_conversas')
    return () => admin.call('DELETE', `/api/admin/botconversa/${id}`)
  },
  async 'Reenviou entrega parada'() {
    await site.rows(`insert into outbox (kind, payload, dead) values ('email', '{}', true)`)
    const id = await idIn('outbox')
    return () => admin.call('POST', `/api/admin/sistema/entregas/${id}/reenviar`)
  },
  async 'Reenviou todas as entregas paradas'() {
    await site.rows(`insert into outbox (kind, payload, dead) values ('email', '{}', true)`)
    return () => admin.call('POST', '/api/admin/sistema/entregas/reenviar')
  },
  async 'Apagou os dados de uma pessoa'() {
    await postJson(`${site.url}/api/peticoes`, aSignature())
    const id = await idIn('peticoes')
    return () => admin.call('DELETE', `/api/admin/pessoas/assinaturas/${id}`)
  },
  async 'Apagou tudo de uma pessoa'() {
    await postJson(`${site.url}/api/peticoes`, aSignature())
    const id = await idIn('peticoes')
    return () => admin.call('DELETE', `/api/admin/pessoas/assinaturas/${id}/tudo`)
  },
  async 'Alterou o acompanhamento de uma pessoa'() {
    const person = await aPerson()
    return () => admin.call('PATCH', `${person}/acompanhamento`, { status: 'ativo' })
  },
  async 'Começou a editar pessoas em conjunto'() {
    await aPerson()
    return async () => {
      const answer = await admin.call('POST', '/api/admin/pessoas/assinaturas/acompanhamento', {
        ...{ filtros: {}, status: 'ativo' },
      })
      // The edit ends with the reply.
      await answer.clone().arrayBuffer()
      return answer
    }
  },
  async 'Enviou um arquivo para importar'() {
    return () => admin.call('POST', '/api/admin/importacoes', anImportFile())
  },
  async 'Começou a importar pessoas'() {
    const { id } = await admin.ask<{ id: number }>('POST', '/api/admin/importacoes', anImportFile())
    const columns = ['nome', 'email', 'whatsapp', 'cidade', 'estado']
    const start = {
      mapeamento: Object.fromEntries(columns.map((name, coluna) => [name, { coluna }])),
      ...{ campanha: 'juros', origem: 'feira', baseLegal: 'lista em papel', declaraNovidades: false },
    }
    return () => admin.call('POST', `/api/admin/importacoes/${id}/iniciar`, start)
  },
  async 'Cancelou uma importação'() {
    const { id } = await admin.ask<{ id: number }>('POST', '/api/admin/importacoes', anImportFile())
    return () => admin.call('POST', `/api/admin/importacoes/${id}/cancelar`)
  },
  async 'Salvou um filtro de pessoas'() {
    return () =>
      admin.call('POST', '/api/admin/pessoas/lideres/filtros', { nome: 'Ativos', filtros: { status: 'ativo' } })
  },
  async 'Renomeou um filtro de pessoas'() {
    const filter = await aFilter()
    return () => admin.call('PUT', filter, { nome: 'Outro nome' })
  },
  async 'Apagou um filtro de pessoas'() {
    const filter = await aFilter()
    return () => admin.call('DELETE', filter)
  },
  async 'Escreveu uma nota sobre uma pessoa'() {
    const person = await aPerson()
    return () => admin.call('POST', `${person}/notas`, { texto: 'Uma nota' })
  },
  async 'Apagou uma nota sobre uma pessoa'() {
    const person = await aPerson()
    await admin.ask('POST', `${person}/notas`, { texto: 'Uma nota' })
    const id = await idIn('people_notes')
    return () => admin.call('DELETE', `${person}/notas/${id}`)
  },
  async 'Tirou um endereço da lista de suspensos'() {
    await site.rows(
      `insert into enderecos ("addressHmac", "rejectedAt", "suppressionKind") values (sha256('a'), now(), 'recusa')`,
    )
    const id = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('a'))).toString('base64url')
    return () => admin.call('DELETE', `/api/admin/enderecos-suspensos/${id}`)
  },
}

const ownFactor = '/api/admin/conta/segundo-fator'

type Options = { options: { challenge: string } }

async function aMemberWithPasskey() {
  const member = { ...aMember('fulana'), password: 'senha-da-fulana-1' }
  await admin.ask('POST', '/api/admin/equipe', member)
  const own = await enter(site, member)
  await site.rows(
    `insert into admin_passkeys ("adminUserId", "credentialId", "publicKey", counter, name) select max(id), 'x', '', 0, 'x' from admin_users`,
  )
  return { admin: own, password: member.password }
}

async function aMemberWithFactor({ isConfirmed = true } = {}) {
  const member = { ...aMember('fulana'), password: 'senha-da-fulana-1' }
  await admin.ask('POST', '/api/admin/equipe', member)
  const own = await enter(site, member)
  const { secret } = await own.ask<{ secret: string }>('POST', `${ownFactor}/aplicativo`)
  const code = () => new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate()
  if (isConfirmed) await own.ask('POST', `${ownFactor}/aplicativo/confirmar`, { code: code() })
  return { admin: own, code, password: member.password }
}

function anImportFile(): FormData {
  const form = new FormData()
  form.set('tipo', 'assinaturas')
  form.set('nome', 'lista.csv')
  const list = 'Nome;E-mail;Telefone;Cidade;UF\nFulana;fulana.importada@example.org;0000000000;Belém;PA'
  form.set('arquivo', new Blob([list]), 'lista.csv')
  return form
}

/** The path of a saved filter. */
async function aFilter(): Promise<string> {
  await admin.ask('POST', '/api/admin/pessoas/lideres/filtros', { nome: 'Ativos', filtros: { status: 'ativo' } })
  return `/api/admin/pessoas/lideres/filtros/${await idIn('saved_filters')}`
}

/** The path of a record. */
async function aPerson(): Promise<string> {
  await postJson(`${site.url}/api/peticoes`, aSignature())
  return `/api/admin/pessoas/assinaturas/${await idIn('peticoes')}`
}

async function aDraft(): Promise<number> {
  const { campaign } = await admin.ask<{ campaign: { id: number } }>(
    'POST',
    '/api/admin/campaigns',
    aCampaign({ isActive: false }),
  )
  return campaign.id
}

async function aConversation(): Promise<void> {
  expect((await callWebhook(site, aChatbotCall())).status).toBe(200)
}

test.each(Object.entries(actions))(
  '%s: the change and its entry are stored together or not at all',
  async (action, prepare) => {
    const act = await prepare()
    const before = await snapshot()
    await site.rows('delete from admin_actions')
    const repair = await failInserts(site, { table: 'admin_actions', code: '53100', times: 1 })

    const refused = await act().finally(repair)

    expect(refused.status).toBe(503)
    expect(await snapshot()).toBe(before)
    expect((await act()).ok).toBe(true)
    expect(await snapshot()).not.toBe(before)
    // Streams also record their end.
    expect(await site.rows(`select action from admin_actions where action not like 'Terminou de %'`)).toEqual([
      { action },
    ])
  },
)

test('every action of the contract that changes data is tested', () => {
  const contracts = [
    campaigns,
    carousel,
    conversations,
    images,
    people,
    peopleEdits,
    passkeys,
    secondFactor,
    peopleImport,
    savedFilters,
    session,
    siteSettings,
    suppressions,
    system,
    team,
  ]
  const declared = contracts.flatMap(
    (contract) => Object.values(contract) as { method?: string; auditAction?: string }[],
  )
  const changing = declared.flatMap(({ method, auditAction }) => (auditAction && method !== 'GET' ? [auditAction] : []))
  expect(changing.length).toBeGreaterThan(20)
  expect(changing.filter((action) => !(action in actions))).toEqual(readOnlyActions)
})

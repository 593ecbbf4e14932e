// Site settings: saved versions are in effect on every node, SITE_FILE provides initial values and locks keys.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { adminMessages } from '#contract/admin/messages.ts'
import type { StoredSite } from '#contract/admin/site.ts'
import { defaultSettings, openGroup } from '#contract/site-settings.ts'
import { securityTxt } from '#server/features/site/security-txt.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aPicture, imageForm } from '#tests/helpers/pictures.ts'
import { temporaryFolder } from '#tests/helpers/server-process.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const lockedEmail = 'fixo@example.org'

let site: TestSite
beforeAll(async () => {
  const file = join(temporaryFolder(), 'site.json')
  const content = { movimento: 'Do Arquivo', contato: { email: lockedEmail }, travados: ['contato.email'] }
  writeFileSync(file, JSON.stringify(content))
  site = await openTestSite({ SITE_FILE: file }, { periods: { refreshMs: 100 } })
})
beforeEach(() => site.empty())
afterAll(() => site.close())

const html = async (path: string) => (await site.app.inject(path)).payload
/** Stores a version as another node does: this node is not told. */
const storeElsewhere = (settings: object) =>
  site.rows('insert into site_settings (settings, author) values ($1, $2)', [JSON.stringify(settings), 'outra'])
const eventually = (path: string) => expect.poll(() => html(path), { timeout: 10_000, interval: 50 })

describe('the settings in effect', () => {
  test('are those of the file until something is saved', async () => {
    await eventually('/').toContain('<title>Do Arquivo: faça parte do movimento</title>')
  })

  test('are those that another node saved, in pages, manifest, API description and admin area', async () => {
    await eventually('/').toContain('Do Arquivo')
    const comunidade = { ...defaultSettings.comunidade, formulario: 'https://novo.example/formulario' }
    await storeElsewhere({ movimento: 'Da Outra', lema: 'Lema da outra.', comunidade })
    await eventually('/').toContain('<title>Da Outra: faça parte do movimento</title>')
    // Each path is cached separately.
    await eventually('/manifest.webmanifest').toContain('"name":"Da Outra"')
    await eventually('/api/openapi.json').toContain('API de Da Outra')
    await eventually('/admin').toContain('<title>Administração | Da Outra</title>')
    const communityPolicy = async () => (await site.app.inject('/comunidade')).headers['content-security-policy']
    await expect.poll(communityPolicy).toContain('frame-src https://novo.example')
  })

  test('keep the value of the file where it is locked', async () => {
    await storeElsewhere({ movimento: 'Travada', contato: { ...defaultSettings.contato, email: 'novo@example.org' } })
    await eventually('/').toContain('Travada')
    expect(await html('/')).toContain(`mailto:${lockedEmail}`)
    expect(await html('/')).not.toContain('novo@example.org')
  })

  test('have the number of the file when the stored one lacks the country code', async () => {
    await storeElsewhere({
      movimento: 'Sem Código',
      contato: { ...defaultSettings.contato, whatsapp: '11987654321' },
    })
    await eventually('/').toContain('Sem Código')
    expect(await html('/')).toContain(`https://wa.me/${defaultSettings.contato.whatsapp}`)
  })

  test('are complete when a stored version lacks a key or has an invalid one', async () => {
    await storeElsewhere({ movimento: 'Incompleta', hashtag: 'sem cerquilha', perfis: { instagram: '' } })
    await eventually('/').toContain('Incompleta')
    const page = await html('/')
    expect(page).toContain(defaultSettings.hashtag)
    expect(page).toContain(defaultSettings.perfis.facebook)
    expect(page).not.toContain(defaultSettings.perfis.instagram)
  })

  test('are served from memory while they cannot be read', async () => {
    await storeElsewhere({ movimento: 'Em Memória' })
    await eventually('/').toContain('Em Memória')
    await site.rows('alter table site_settings rename to site_settings_away')
    const restore = () => site.rows('alter table if exists site_settings_away rename to site_settings')
    onTestFinished(async () => void (await restore()))
    const servedFromMemory = async () => {
      const { statusCode, payload } = await site.app.inject('/metodologia')
      expect([statusCode, payload.includes('Em Memória')]).toEqual([200, true])
      return site.logged().some((line) => line.includes('site settings not refreshed'))
    }
    await expect.poll(servedFromMemory, { timeout: 10_000, interval: 50 }).toBe(true)
  })
})

const settingsPath = '/api/admin/site'

describe('security.txt', () => {
  const read = async () => {
    const { payload, headers, statusCode } = await site.app.inject('/.well-known/security.txt')
    const fields = payload.trimEnd().split('\n')
    return { statusCode, headers, payload, fields: Object.fromEntries(fields.map((line) => line.split(/: (.*)/s, 2))) }
  }

  test('names the contact of the site settings, as RFC 9116 says', async () => {
    const { statusCode, headers, payload, fields } = await read()
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(payload).toMatch(/^(?:[A-Z][A-Za-z-]+: [^\r\n]+\n)+$/)
    expect(fields).toMatchObject({
      Contact: `mailto:${lockedEmail}`,
      'Preferred-Languages': 'pt-BR, en',
      Canonical: expect.stringMatching(/^https?:\/\/[^/]+\/\.well-known\/security\.txt$/),
    })
  })

  test('is valid for more than a month and less than a year', async () => {
    const { fields } = await read()
    const days = (Date.parse(fields.Expires ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(31)
    expect(days).toBeLessThan(365)
    expect(fields.Expires).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/)
  })

  test('has one line per field, whatever the contact address contains', () => {
    const contato = { ...defaultSettings.contato, email: 'ação?&#%<x>@example.org' }
    const text = securityTxt({
      site: { contato },
      publicUrl: 'https://example.org',
      now: new Date('2026-03-05T23:59Z'),
    })
    expect(text.split('\n')).toEqual([
      'Contact: mailto:a%C3%A7%C3%A3o%3F%26%23%25%3Cx%3E@example.org',
      'Expires: 2026-09-01T00:00:00.000Z',
      'Preferred-Languages: pt-BR, en',
      'Canonical: https://example.org/.well-known/security.txt',
      '',
    ])
  })
})

describe('saving', () => {
  let admin: Administrator
  beforeEach(async () => {
    admin = await enter(site)
  })
  const read = async () => (await admin.ask<{ site: StoredSite }>('GET', settingsPath)).site
  const put = (change: object, { settings, versao }: StoredSite) =>
    admin.call('PUT', settingsPath, { ...settings, ...change, versao })
  const save = async (change: object, stored?: StoredSite) => {
    const answer = await put(change, stored ?? (await read()))
    const body = (await answer.json()) as { message: string; site: StoredSite }
    expect(answer.status, body.message).toBe(200)
    return body
  }

  test('is in effect at once on this node, and is in the audit log with the changed fields', async () => {
    const before = await read()
    expect(before).toMatchObject({ versao: 0, autor: null, travados: ['contato.email'] })
    const { site: saved } = await save({ movimento: 'Salvo Aqui', grupos: { ...before.settings.grupos, geral } })
    expect(saved).toMatchObject({ autor: 'admin', settings: { movimento: 'Salvo Aqui' } })
    // Polled: while the database is slow, the former settings are served for a moment.
    await eventually('/').toContain('<title>Salvo Aqui: faça parte do movimento</title>')
    const [entry] = await site.rows<{ changes: object }>(
      `select changes from admin_actions where action = 'Alterou configurações do site'`,
    )
    expect(entry?.changes).toEqual([
      { field: 'Nome do movimento', before: 'Do Arquivo', after: 'Salvo Aqui' },
      {
        field: 'Grupo geral',
        before: 'https://example.org/grupo-geral',
        after: 'https://example.org/cheio (cheio), https://example.org/aberto',
      },
    ])
  })

  test('of the daily limit of news is in effect, and is not part of public pages', async () => {
    expect((await read()).settings.novidadesPorDia).toBe(1)
    await save({ novidadesPorDia: 3 })
    expect((await read()).settings.novidadesPorDia).toBe(3)
    expect(await html('/')).not.toContain('novidadesPorDia')
  })

  test('of the same settings makes no version', async () => {
    const { site: saved } = await save({ movimento: 'Igual' })
    const { site: again, message } = await save({ movimento: 'Igual' }, { ...saved, versao: 0 })
    expect([again.versao, message]).toEqual([saved.versao, adminMessages.site.unchanged])
    expect(await site.rows('select 1 from site_settings')).toHaveLength(1)
  })

  test('over the version of another administrator is refused with 409 and that version', async () => {
    const before = await read()
    await storeElsewhere({ ...before.settings, movimento: 'Delas' })
    const answer = await put({ movimento: 'Meu' }, before)
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({
      message: adminMessages.site.changed('outra'),
      current: { autor: 'outra', settings: { movimento: 'Delas' } },
    })
    expect((await read()).settings.movimento).toBe('Delas')
  })

  test('ten edits at once make one version', async () => {
    const before = await read()
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => put({ movimento: `Edição ${i}` }, before)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)])
    expect(await site.rows('select 1 from site_settings')).toHaveLength(1)
  })

  test('of a locked setting is refused with the reason', async () => {
    const before = await read()
    const answer = await put({ contato: { ...before.settings.contato, email: 'outro@example.org' } }, before)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      message: `E-mail de contato: ${adminMessages.site.locked}`,
      errors: { 'contato.email': adminMessages.site.locked },
    })
  })

  test.each<[string, (settings: StoredSite['settings']) => object, string, string]>([
    ['an empty name', () => ({ movimento: ' ' }), 'movimento', 'Não pode ficar vazio'],
    ['a name with a control character', () => ({ movimento: 'a\u0000b' }), 'movimento', 'caractere'],
    ['no news a day', () => ({ novidadesPorDia: 0 }), 'novidadesPorDia', 'número inteiro de 1 a 10'],
    ['eleven news a day', () => ({ novidadesPorDia: 11 }), 'novidadesPorDia', 'número inteiro de 1 a 10'],
    ['half a news item a day', () => ({ novidadesPorDia: 1.5 }), 'novidadesPorDia', 'número inteiro de 1 a 10'],
    ['a hashtag without #', () => ({ hashtag: 'oi' }), 'hashtag', 'Precisa começar com #'],
    [
      'a script as profile',
      ({ perfis }) => ({ perfis: { ...perfis, twitter: 'javascript:alert(1)' } }),
      'perfis.twitter',
      'https://',
    ],
    [
      'a WhatsApp number without a country code',
      ({ contato }) => ({ contato: { ...contato, whatsapp: '11987654321' } }),
      'contato.whatsapp',
      'código do país',
    ],
    ['no general group', ({ grupos }) => ({ grupos: { ...grupos, geral: [] } }), 'grupos.geral', 'pelo menos um link'],
    ['a group of no state', ({ grupos }) => ({ grupos: { ...grupos, estados: { XX: geral } } }), 'grupos.estados', ''],
    ['a logo of another site', () => ({ logo: 'https://example.org/logo.png' }), 'logo', 'Envie a imagem'],
    ['a logo that is not stored', () => ({ logo: `/media/${'0'.repeat(64)}.webp` }), 'logo', 'Envie de novo'],
    [
      'a menu link to another protocol',
      () => ({ menu: [{ texto: 'x', endereco: '//example.org', oculto: false }] }),
      'menu.endereco',
      'https://',
    ],
    [
      'the same menu link twice',
      () => ({
        menu: [
          { chave: 'paz', oculto: false },
          { chave: 'paz', oculto: true },
        ],
      }),
      'menu',
      'duas vezes',
    ],
    ['no version', () => ({ versao: 'x' }), 'versao', 'Abra as configurações'],
  ])('%s is refused with a sentence', async (_, change, field, message) => {
    const { settings, versao } = await read()
    const answer = await admin.call('PUT', settingsPath, { ...settings, versao, ...change(settings) })
    expect(answer.status).toBe(400)
    const { errors } = (await answer.json()) as { errors: Record<string, string> }
    expect(errors[field]).toContain(message)
    expect(await site.rows('select 1 from site_settings')).toEqual([])
  })

  test('versions list who saved what, and one can be restored', async () => {
    const { site: first } = await save({ movimento: 'Primeiro', lema: 'Lema um.' })
    const { site: second } = await save({ movimento: 'Segundo' }, first)
    const versions = () => admin.ask<{ versoes: object[] }>('GET', `${settingsPath}/versoes`)
    expect((await versions()).versoes).toMatchObject([
      { versao: second.versao, autor: 'admin', mudou: ['Nome do movimento'] },
      { versao: first.versao, autor: 'admin', mudou: ['Nome do movimento', 'Lema'] },
    ])
    const restore = (versao: number, base: number) =>
      admin.call('POST', `${settingsPath}/versoes/${versao}/restaurar`, { versao: base })
    expect((await restore(first.versao, first.versao)).status).toBe(409)
    expect((await restore(999_999, second.versao)).status).toBe(404)
    expect((await restore(first.versao, second.versao)).status).toBe(200)
    expect((await read()).settings).toMatchObject({ movimento: 'Primeiro', lema: 'Lema um.' })
    expect((await versions()).versoes).toHaveLength(3)
  })

  test('a logo is on pages and share images, is kept while it is used, and deleted afterwards', async () => {
    const upload = async () => {
      const form = imageForm(await aPicture('png', { width: 300, height: 200 }))
      return (await admin.ask<{ imagemUrl: string }>('POST', '/api/admin/imagens', form)).imagemUrl
    }
    // As if it had been uploaded more than a day ago.
    const expireReservations = () =>
      site.rows(`update media set "reservedUntil" = now() - interval '1 minute' where "reservedUntil" is not null`)
    const imageTag = async () => /property="og:image" content="([^"]+)"/.exec(await html('/'))?.[1]
    // The address of the image depends on the name too.
    const { site: named } = await save({ movimento: 'Com Logo' })
    await eventually('/').toContain('<title>Com Logo: ')
    const plainImage = await imageTag()
    const { site: first } = await save({ logo: await upload() }, named)
    const { logo } = first.settings
    expect(logo).toMatch(/^\/media\/[0-9a-f]{64}\.logo\.webp$/)
    await eventually('/').toContain(`<img src="${logo}"`)
    expect(await imageTag()).not.toBe(plainImage)
    const served = async () => (await site.rows('select 1 from media where sha256 = $1', [logo.slice(7, 71)])).length
    await expireReservations()
    await upload()
    expect(await served()).toBe(4)
    const { site: second } = await save({ logo: '' }, first)
    expect(await served()).toBe(0)
    await expect.poll(imageTag).toBe(plainImage)
    const restored = await admin.ask<{ message: string; site: StoredSite }>(
      'POST',
      `${settingsPath}/versoes/${first.versao}/restaurar`,
      { versao: second.versao },
    )
    // The versions differ in the logo alone, and that image is gone.
    expect(restored).toMatchObject({ message: adminMessages.site.unchanged, site: { settings: { logo: '' } } })
  })

  test('a link of the menu to an inactive campaign is not shown', async () => {
    const own = (texto: string, endereco: string) => ({ texto, endereco, oculto: false })
    await site.rows(`update campaigns set "isActive" = false where slug = 'juros'`)
    onTestFinished(async () => void (await site.rows(`update campaigns set "isActive" = true where slug = 'juros'`)))
    const menu = [
      own('Loja', 'https://example.org/loja'),
      own('Os juros', '/peticao?de=menu'),
      { chave: 'paz', oculto: true },
    ]
    await save({ movimento: 'Menu Novo', menu })
    await eventually('/metodologia').toContain('Loja')
    await eventually('/metodologia').not.toContain('Os juros')
    const page = await html('/metodologia')
    expect(page).toContain('<a href="https://example.org/loja">Loja</a>')
    expect(page).not.toContain('>Brasil quer paz<')
    expect(page.indexOf('Loja')).toBeLessThan(page.indexOf('Influenciadores'))
  })
})

const geral = [
  { link: 'https://example.org/cheio', cheio: true },
  { link: 'https://example.org/aberto', cheio: false },
]

test('if all groups are full, the last link of the nearest one is used', () => {
  const full = (name: string) => ({ link: `https://example.org/${name}`, cheio: true })
  expect(openGroup([full('juros-1'), full('juros-2')], undefined, [full('geral')])).toBe('https://example.org/juros-2')
  expect(openGroup(undefined, [])).toBeUndefined()
})

describe('/grupo', () => {
  const one = (name: string, cheio = false) => ({ link: `https://example.org/${name}`, cheio })
  beforeEach(async () => {
    await storeElsewhere({
      movimento: crypto.randomUUID(),
      grupos: {
        ...defaultSettings.grupos,
        geral,
        campanhas: { juros: [one('juros-1', true), one('juros-2')], lotada: [one('lotada', true)], vazia: [] },
        estados: { SP: [one('sp')], RJ: [one('grupo-✊')] },
      },
    })
    await expect.poll(() => locationOf('/grupo'), { timeout: 10_000, interval: 50 }).toBe('https://example.org/aberto')
  })
  const locationOf = async (path: string) => {
    const { statusCode, headers } = await site.app.inject(path)
    expect([statusCode, headers['cache-control']]).toEqual([302, 'no-store'])
    return headers.location
  }

  test.each([
    ['/grupo', 'aberto'],
    ['/grupo/juros', 'juros-2'],
    ['/grupo/juros?uf=SP', 'juros-2'],
    ['/grupo/vazia?uf=sp', 'sp'],
    ['/grupo/lotada?uf=SP', 'sp'],
    ['/grupo/lotada', 'aberto'],
    ['/grupo/nao-existe?uf=SP', 'sp'],
    ['/grupo/nao-existe?uf=BA', 'aberto'],
    ['/grupo?uf=RJ', 'grupo-%E2%9C%8A'],
    ['/grupo/__proto__?uf=constructor', 'aberto'],
    ['/grupo/https%3A%2F%2Fexample.net?uf=SP&uf=RJ', 'aberto'],
  ])('%s leads to %s', async (path, name) => {
    expect(await locationOf(path)).toBe(`https://example.org/${name}`)
  })
})

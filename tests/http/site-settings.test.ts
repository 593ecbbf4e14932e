// Site settings: saved versions are in effect on every node, SITE_FILE provides initial values and locks keys.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { defaultSettings } from '#contract/site-settings.ts'
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
const eventually = (path: string) => expect.poll(() => html(path), { timeout: 2_000, interval: 50 })

describe('the settings in effect', () => {
  test('are those of the file until something is saved', async () => {
    await eventually('/').toContain('<title>Do Arquivo: faça parte do movimento</title>')
  })

  test('are those that another node saved, in pages, manifest, API description and admin area', async () => {
    await eventually('/').toContain('Do Arquivo')
    const comunidade = { ...defaultSettings.comunidade, formulario: 'https://novo.example/formulario' }
    await storeElsewhere({ movimento: 'Da Outra', lema: 'Lema da outra.', comunidade })
    await eventually('/').toContain('<title>Da Outra: faça parte do movimento</title>')
    expect(await html('/manifest.webmanifest')).toContain('"name":"Da Outra"')
    expect(await html('/api/openapi.json')).toContain('API de Da Outra')
    expect(await html('/admin')).toContain('<title>Administração | Da Outra</title>')
    const community = await site.app.inject('/comunidade')
    expect(community.headers['content-security-policy']).toContain('frame-src https://novo.example')
  })

  test('keep the value of the file where it is locked', async () => {
    await storeElsewhere({ movimento: 'Travada', contato: { ...defaultSettings.contato, email: 'novo@example.org' } })
    await eventually('/').toContain('Travada')
    expect(await html('/')).toContain(`mailto:${lockedEmail}`)
    expect(await html('/')).not.toContain('novo@example.org')
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
    await expect.poll(servedFromMemory, { timeout: 2_000, interval: 50 }).toBe(true)
  })
})

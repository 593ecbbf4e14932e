// The text that the operator reads in the terminal after a start.
import { describe, expect, test } from 'vitest'
import type { Site } from '#contract/site.ts'
import { formatBanner } from '#server/banner.ts'
import { readConfig } from '#server/core/config.ts'
import { findSampleSettings } from '#server/core/sample-settings.ts'
import { defaultSite } from '#tests/helpers/default-site.ts'

const dataKey = 'WVjRhmxhLSjG+FOm7A8lNjvbAgvt9g/SIv6k7zQz+vs='
const postgres = { DATABASE_URL: 'postgres://localhost/mobiliza', DATA_KEY: dataKey }

const realSite: Site = {
  ...defaultSite,
  deputado: { slug: 'beltrano', nome: 'Beltrano' },
  contato: { ...defaultSite.contato, email: 'contato@movimento.invalid', whatsapp: '5511987654321' },
  grupos: { geral: 'https://g.invalid/1', criadores: 'https://g.invalid/2', influenciadores: 'https://g.invalid/3' },
  perfis: {
    ...{ instagram: 'https://i.invalid', facebook: 'https://f.invalid', twitter: 'https://t.invalid' },
    ...{ tiktok: 'https://k.invalid', youtube: 'https://y.invalid' },
  },
  comunidade: { ...defaultSite.comunidade, formulario: 'https://formulario.invalid' },
}

const banner = (env: Record<string, string>, site = realSite) =>
  formatBanner({ config: readConfig(env), site, port: 3000, administrator: 'existing', seconds: 1.2 })

describe('sample values', () => {
  test('are listed by name until each is replaced', () => {
    const text = banner({}, defaultSite)
    const [, list = ''] = /Ainda com dados de exemplo.*\n((?: {4}.*\n)+)/.exec(text) ?? []
    expect(list.split(/[,\s]+/).filter(Boolean)).toEqual([
      ...['PUBLIC_URL', 'deputado.slug', 'deputado.nome', 'contato.email', 'contato.whatsapp'],
      ...['grupos.geral', 'grupos.criadores', 'grupos.influenciadores'],
      ...['perfis.instagram', 'perfis.facebook', 'perfis.twitter', 'perfis.tiktok', 'perfis.youtube'],
      'comunidade.formulario',
    ])
    expect(Math.max(...list.split('\n').map((line) => line.length))).toBeLessThanOrEqual(81)

    expect(banner({ PUBLIC_URL: 'https://movimento.invalid' })).not.toContain('dados de exemplo')
  })

  test('of the environment are listed too, the sender only when e-mails are sent', () => {
    const found = (env: Record<string, string>) => findSampleSettings(realSite, readConfig(env)).map(({ key }) => key)
    const PUBLIC_URL = 'https://movimento.invalid'
    expect(found({ PUBLIC_URL: 'https://mobiliza.example.org' })).toEqual(['PUBLIC_URL'])
    expect(found({ PUBLIC_URL, EMAIL_FROM: 'x@example.org' })).toEqual([])
    expect(found({ PUBLIC_URL, EMAIL_FROM: 'x@example.org', SMTP_URL: 'smtp://localhost' })).toEqual(['EMAIL_FROM'])
    expect(found({ PUBLIC_URL: 'https://contraexample.org.invalid' })).toEqual([])
  })
})

test('without DATA_KEY the banner says in Portuguese that the leaders’ form is closed and how to create a key', () => {
  expect(banner({ ...postgres, DATA_KEY: '' })).toMatch(
    /Falta DATA_KEY.*formulário de líderes fica fechado\.\n.*openssl rand -base64 32/,
  )
  expect(banner(postgres)).not.toContain('DATA_KEY')
})

test('folders are shown with their paths', () => {
  expect(banner({ DATA_DIR: './data' })).toContain(' data (banco embutido)')
  expect(banner({ DATA_DIR: '/var/lib/mobiliza' })).toMatch(
    / \/var\/lib\/mobiliza \(banco embutido\)[\s\S]* \/var\/lib\/mobiliza\/emails /,
  )
})

test('the spreadsheet is shown with an address that can be opened in a browser', () => {
  const sheet = { GOOGLE_SHEETS_ID: 'planilha-ficticia' }
  const config = { ...readConfig(postgres), googleSheetsId: sheet.GOOGLE_SHEETS_ID }
  const line = (googleSheetsUrl: string) =>
    /Planilha +(.*)\n/.exec(
      formatBanner({
        ...{ config: { ...config, googleSheetsUrl }, site: realSite, port: 3000 },
        ...{ administrator: 'existing', seconds: 1 },
      }),
    )?.[1]
  expect(line(config.googleSheetsUrl)).toBe('Google, https://docs.google.com/spreadsheets/d/planilha-ficticia')
  expect(line('http://127.0.0.1:4000')).toBe('de prova, http://127.0.0.1:4000')
})

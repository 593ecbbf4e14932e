import { describe, expect, test } from 'vitest'
import { isUnknownPage, menuPages } from '#contract/site-menu.ts'
import { defaultSettings, resolveSite } from '#contract/site-settings.ts'
import { routes } from '#web/routes.tsx'

const { deputado } = defaultSettings

describe('the pages that the menu editor suggests', () => {
  test('exist', () => {
    const redirects = ['/grupo']
    const paths = [...redirects, ...routes(resolveSite(defaultSettings)).map(({ path }) => path)]
    expect(paths).toEqual(expect.arrayContaining(Object.keys(menuPages)))
  })
})

describe('the address of a menu link', () => {
  test.each([
    '/',
    '/campanhas',
    '/comunidade/',
    '/privacidade?de=menu#contato',
    '/p/juros-abusivos',
    '/p/juros-abusivos?de=menu',
    '/fulano-cassado',
    '/grupo/juros-abusivos?uf=SP',
    'https://example.org/qualquer',
    '',
  ])('%s is known', (address) => {
    expect(isUnknownPage(address, ['juros-abusivos', 'cassacao-fulano'], deputado)).toBe(false)
  })

  test.each(['/camapnhas', '/p/nao-existe', '/p/', '/brasilquerpaz', '/p/juros-abusivos/mais', '/toString'])(
    '%s is unknown',
    (address) => {
      expect(isUnknownPage(address, ['juros-abusivos'], deputado)).toBe(true)
    },
  )
})

// WCAG 2.5.3: users of speech input say the visible label of a control, so its accessible name must contain it.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { adminPaths } from '#contract/admin/paths.ts'
import { openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import { expect, open, test } from '#tests/e2e/visitor.ts'

const publicPages = [
  '/',
  '/?obrigado',
  '/peticao',
  '/peticao?obrigado',
  '/fulano-cassado',
  '/brasilquerpaz',
  '/p/fim-escala-6x1',
  '/embed/juros',
  '/embed/voluntarios',
  '/embed-codes',
  '/teste-embed',
  '/influenciadoresCOMLULA',
  '/obrigado-influenciadores',
  '/formulario-lideres',
  '/conteudos-destaque',
  '/comunidade',
  '/metodologia',
  '/privacidade',
  '/confirmar/um-link-de-um-e-mail-22',
  '/nao-existe',
]

// biome-ignore lint/correctness/noEmptyPattern: only the project is needed
test.beforeEach(({}, { project }) => test.skip(project.name !== 'phone', 'a name has no width'))
test.use({ expectedErrors: /status of 404/ })

/** Controls whose accessible name lacks their visible text. */
async function mismatched(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withRules(['label-content-name-mismatch']).analyze()
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))
}

test('every control of the public pages has its visible text in its name', async ({ page }) => {
  test.slow()
  for (const path of publicPages) {
    await open(page, path)
    expect(await mismatched(page), path).toEqual([])
  }
})

test('every control of the admin area has its visible text in its name', async ({ page }) => {
  test.slow()
  const [{ id = 0 } = {}] = await rows<{ id: number }>(`select id::int from campaigns where slug = 'juros'`)
  const values: Record<string, string> = { ':id': String(id), ':tipo': 'assinaturas', ':slug': 'juros' }
  const paths = Object.values(adminPaths).filter((path) => path !== '/admin' && path !== '/admin/botconversa/:id')
  await openAsAdministrator(page, '/admin/dashboard')
  for (const path of paths) {
    await page.goto(path.replace(/:\w+/, (name) => values[name] ?? name))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    if (path.startsWith('/admin/campanhas/')) await expect(page.getByRole('toolbar')).toBeVisible()
    expect(await mismatched(page), path).toEqual([])
  }
})

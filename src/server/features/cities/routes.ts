import { listCities } from '#contract/cities.ts'
import { largestCities } from '#server/features/cities/largest-cities.ts'
import { type App, mount } from '#server/http/mount.ts'

export function registerCities(app: App): void {
  mount(app, listCities, async (_, { params }) => {
    // Loaded on first use, so that the start of the server does not wait for five thousand names.
    const { getMunicipalities } = await import('@brazilian-utils/brazilian-utils/get-municipalities')
    const names = getMunicipalities(params.uf).map(({ name }) => name)
    // Official names (IBGE): the largest cities first, then the others in alphabetical order.
    return { success: true, municipios: [...new Set([...largestCities(params.uf), ...names])] }
  })
}

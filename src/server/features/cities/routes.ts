// The names of a state's municipalities, as the national statistics office writes them.
import { listCities } from '#contract/cities.ts'
import { type App, mount } from '#server/http/mount.ts'

export function cityRoutes(app: App): void {
  mount(app, listCities, async (_, { params }) => {
    // Loaded when first asked for: the start of the server does not wait for five thousand names.
    const { getMunicipalities } = await import('@brazilian-utils/brazilian-utils/get-municipalities')
    return { success: true, municipios: getMunicipalities(params.uf).map(({ name }) => name) }
  })
}

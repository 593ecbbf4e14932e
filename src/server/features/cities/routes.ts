// The names of a state's municipalities, as the national statistics office writes them: the largest first, then by the alphabet.
import { listCities } from '#contract/cities.ts'
import { largestCities } from '#server/features/cities/largest-cities.ts'
import { type App, mount } from '#server/http/mount.ts'

export function cityRoutes(app: App): void {
  mount(app, listCities, async (_, { params }) => {
    // Loaded when first asked for: the start of the server does not wait for five thousand names.
    const { getMunicipalities } = await import('@brazilian-utils/brazilian-utils/get-municipalities')
    const names = getMunicipalities(params.uf).map(({ name }) => name)
    return { success: true, municipios: [...new Set([...largestCities(params.uf), ...names])] }
  })
}

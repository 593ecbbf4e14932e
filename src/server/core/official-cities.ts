import { foldText } from '#contract/fold-text.ts'
import { stateCodes } from '#contract/states.ts'

/** Combines names that are not official. */
export const otherCities = 'Outras'

export const cityKey = (state: string, foldedName: string) => `${state} ${foldedName}`

/** The official spelling (IBGE) of each city, by `cityKey`. */
export async function officialCities(): Promise<Map<string, string>> {
  const { getMunicipalities } = await import('@brazilian-utils/brazilian-utils/get-municipalities')
  return new Map(
    stateCodes.flatMap((code) =>
      getMunicipalities(code).map(({ name }) => [cityKey(code, foldText(name)), name] as [string, string]),
    ),
  )
}

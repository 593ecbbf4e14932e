// Queries of the lists and pages of people, and what refreshes them.
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { countPeople, listPeople, listSignedCampaigns, type PeopleKind, readPerson } from '#contract/admin/people.ts'
import { listWorkflowOptions } from '#contract/admin/people-edits.ts'
import { listSavedFilters } from '#contract/admin/saved-filters.ts'
import { callAdmin, type Query } from '#web/admin/api/client.ts'

const root = 'pessoas'

export const signedCampaignsQuery = queryOptions({
  queryKey: [root, 'campanhas'],
  queryFn: () => callAdmin(listSignedCampaigns),
})

/** The title of a campaign by its slug; the slug while titles are not available. */
export function useCampaignTitles(): (slug: string) => string {
  const { data } = useQuery(signedCampaignsQuery)
  const titles = new Map(data?.campanhas.map(({ slug, titulo }) => [slug, titulo]))
  return (slug) => titles.get(slug) ?? slug
}

export const peopleListQuery = (tipo: PeopleKind, query: Query) =>
  queryOptions({
    queryKey: [root, tipo, 'lista', query],
    queryFn: () => callAdmin(listPeople, { params: { tipo }, query }),
    placeholderData: keepPreviousData,
  })

export const peopleTotalQuery = (tipo: PeopleKind, query: Query) =>
  queryOptions({
    queryKey: [root, tipo, 'total', query],
    queryFn: () => callAdmin(countPeople, { params: { tipo }, query }),
  })

export const personQuery = (tipo: PeopleKind, id: string) =>
  queryOptions({
    queryKey: [root, tipo, 'registro', id],
    queryFn: () => callAdmin(readPerson, { params: { tipo, id } }),
    // Personal data is not kept in the cache.
    gcTime: 0,
  })

export const workflowOptionsQuery = queryOptions({
  queryKey: [root, 'opcoes'],
  queryFn: () => callAdmin(listWorkflowOptions),
})

export const savedFiltersQuery = (tipo: PeopleKind) =>
  queryOptions({
    queryKey: [root, tipo, 'filtros'],
    queryFn: () => callAdmin(listSavedFilters, { params: { tipo } }),
  })

/** Lists, totals and options, after a change of the workflow. Opened records show their own changes. */
export const refreshPeople = (queries: QueryClient) =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === root && queryKey[2] !== 'registro' })

/** Everything except one record, which may have been deleted. */
export const refreshPeopleExcept = (queries: QueryClient, id: string) =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === root && !queryKey.includes(id) })

import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listSiteVersions, readSiteSettings, type StoredSite } from '#contract/admin/site.ts'
import { callAdmin } from '#web/admin/api/client.ts'

export const siteQuery = queryOptions({ queryKey: ['site'], queryFn: () => callAdmin(readSiteSettings) })

export const siteVersionsQuery = queryOptions({
  queryKey: ['site', 'versoes'],
  queryFn: () => callAdmin(listSiteVersions),
})

/** Stores saved settings in the cache. The list of versions is refetched in the background. */
export function updateCachedSite(queries: QueryClient, site: StoredSite): void {
  queries.setQueryData(siteQuery.queryKey, { success: true, site })
  void queries.invalidateQueries({ queryKey: siteVersionsQuery.queryKey })
}

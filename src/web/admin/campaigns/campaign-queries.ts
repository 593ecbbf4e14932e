// Queries of the campaigns, and the update of their cache after a change.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  listCampaignLinks,
  listCampaigns,
  listVersions,
  readStoredCampaign,
  readVersion,
  type StoredCampaign,
} from '#contract/admin/campaigns.ts'
import { callAdmin } from '#web/admin/api/client.ts'

const root = 'campanhas'
const paramsOf = (id: number) => ({ id: String(id) })

export const campaignListQuery = queryOptions({ queryKey: [root, 'lista'], queryFn: () => callAdmin(listCampaigns) })

export const campaignQuery = (id: number) =>
  queryOptions({
    queryKey: [root, id],
    queryFn: () => callAdmin(readStoredCampaign, { params: paramsOf(id) }),
  })

export const campaignLinksQuery = (id: number) =>
  queryOptions({
    queryKey: [root, id, 'links'],
    queryFn: () => callAdmin(listCampaignLinks, { params: paramsOf(id) }),
    staleTime: 0,
  })

export const versionsQuery = (id: number, currentVersion: number) =>
  queryOptions({
    queryKey: [root, id, 'versoes', currentVersion],
    // Polled while the count is incomplete: polling must not keep the session alive.
    queryFn: ({ client, queryKey }) =>
      callAdmin(listVersions, { params: paramsOf(id), background: client.getQueryData(queryKey) !== undefined }),
  })

export const versionTextQuery = (id: number, versao: number) =>
  queryOptions({
    queryKey: [root, id, 'versoes', 'texto', versao],
    queryFn: () => callAdmin(readVersion, { params: { ...paramsOf(id), versao: String(versao) } }),
  })

/** Stores a changed campaign in the cache. The list is refetched in the background. */
export function updateCachedCampaign(queries: QueryClient, campaign: StoredCampaign): void {
  queries.setQueryData(campaignQuery(campaign.id).queryKey, { success: true, campaign })
  void queries.invalidateQueries({ queryKey: campaignListQuery.queryKey })
}

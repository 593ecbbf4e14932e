// Queries of the campaigns, and the update of their cache after a change.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type CampaignSummary,
  listCampaignLinks,
  listCampaigns,
  listVersions,
  readStoredCampaign,
  readVersion,
  type StoredCampaign,
} from '#contract/admin/campaigns.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { callAdmin } from '#web/admin/api/client.ts'

const root = 'campanhas'
const paramsOf = (id: number) => ({ id: String(id) })

type Scheduled = Pick<CampaignSummary, 'status' | 'publishAt' | 'closeAt'>

/** When the schedule changes one of the campaigns next. Brasília time has no daylight saving. */
function nextChange(campaigns: Scheduled[] = []): number {
  const minutes = campaigns.map(({ status, publishAt, closeAt }) =>
    status === 'draft' ? publishAt : status === 'live' ? closeAt : null,
  )
  return Math.min(...minutes.flatMap((minute) => (minute ? Date.parse(`${minute}:00-03:00`) : [])))
}

/** The server applies the schedule every two seconds. */
const appliedMs = 4_000
/** The clock of the browser may be ahead. */
const retryMs = 10_000
/** Timers have an upper limit, and no session lasts longer. */
const longestWaitMs = 24 * 60 * 60_000

function refetchDelay(campaigns?: Scheduled[]): number | false {
  const wait = nextChange(campaigns) - Date.now()
  return wait < longestWaitMs && Math.max(wait + appliedMs, retryMs)
}

/** A refetch for a due change is polling, which must not keep the session alive. */
const isPolling = (campaigns?: Scheduled[]) => nextChange(campaigns) < Date.now()

export const campaignListQuery = queryOptions({
  queryKey: [root, 'lista'],
  queryFn: ({ client, queryKey }) => {
    const known = client.getQueryData<ReplyOf<typeof listCampaigns>>(queryKey)
    return callAdmin(listCampaigns, { background: isPolling(known?.campaigns) })
  },
  refetchInterval: ({ state }) => refetchDelay(state.data?.campaigns),
  refetchIntervalInBackground: true,
})

export const campaignQuery = (id: number) =>
  queryOptions({
    queryKey: [root, id],
    queryFn: ({ client, queryKey }) => {
      const known = client.getQueryData<ReplyOf<typeof readStoredCampaign>>(queryKey)
      return callAdmin(readStoredCampaign, {
        params: paramsOf(id),
        background: isPolling(known && [known.campaign]),
      })
    },
    refetchInterval: ({ state }) => refetchDelay(state.data && [state.data.campaign]),
    refetchIntervalInBackground: true,
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

import { queryOptions } from '@tanstack/react-query'
import { readSecondFactor } from '#contract/admin/second-factor.ts'
import { callAdmin } from '#web/admin/api/client.ts'

export const secondFactorQuery = queryOptions({
  queryKey: ['segundo-fator'],
  queryFn: () => callAdmin(readSecondFactor),
})

import { queryOptions } from '@tanstack/react-query'
import { listTeam } from '#contract/admin/team.ts'
import { callAdmin } from '#web/admin/api/client.ts'

export const teamQuery = queryOptions({ queryKey: ['equipe'], queryFn: () => callAdmin(listTeam) })

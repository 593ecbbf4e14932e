import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type ImportMapping, listImports, previewImport, readImport } from '#contract/admin/people-import.ts'
import { callAdmin } from '#web/admin/api/client.ts'

const root = 'importacoes'
const pollMs = 1_000

export const importsQuery = queryOptions({ queryKey: [root], queryFn: () => callAdmin(listImports) })

/** Polled while the import runs. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: [root, id],
    queryFn: () => callAdmin(readImport, { params: { id }, background: true }),
    refetchInterval: ({ state }) => (state.data?.importacao.status === 'running' ? pollMs : false),
  })

export const previewQuery = (id: string, mapping: ImportMapping) =>
  queryOptions({
    queryKey: [root, id, 'previa', mapping],
    queryFn: () => callAdmin(previewImport, { params: { id }, query: { mapeamento: JSON.stringify(mapping) } }),
    placeholderData: keepPreviousData,
    // Personal data is not kept in the cache.
    gcTime: 0,
  })

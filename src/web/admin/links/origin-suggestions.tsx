import { useQuery } from '@tanstack/react-query'
import { directOrigin, listOriginNumbers, otherOrigins } from '#contract/admin/numbers.ts'
import { callAdmin } from '#web/admin/api/client.ts'

const maxSuggestions = 100

/** The most frequent origins, for an input with this id as its `list`. */
export function OriginSuggestions({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: [listOriginNumbers.path, 'suggestions'],
    queryFn: () => callAdmin(listOriginNumbers, { background: true, query: { limite: maxSuggestions } }),
  })
  return (
    <datalist id={id}>
      {data?.origins
        .filter(({ origin }) => origin !== directOrigin && origin !== otherOrigins)
        .map(({ origin }) => (
          <option key={origin} value={origin} />
        ))}
    </datalist>
  )
}

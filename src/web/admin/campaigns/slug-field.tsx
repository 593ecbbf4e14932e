// The slug of a campaign: suggested from the title until it is edited, and checked while it is typed.
import { useQuery } from '@tanstack/react-query'
import { campaignLimits, checkSlug, slugSchema } from '#contract/admin/campaigns.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { type CampaignValues, labels } from '#web/admin/campaigns/campaign-values.ts'
import { slugFrom } from '#web/admin/campaigns/slug.ts'
import { useSuggestion } from '#web/admin/campaigns/use-suggestion.ts'
import { useDebounced } from '#web/admin/ui/use-debounced.ts'
import { TextField } from '#web/forms/fields/field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

interface SlugFieldProps {
  form: FieldState
  values: CampaignValues
  /** The campaign that has the slug now. */
  id: number | undefined
  /** Reason why it cannot be changed. */
  fixed: string | null
}

const debounceMs = 400

export function SlugField({ form, values, id, fixed }: SlugFieldProps) {
  const { slug, titulo } = values
  const startsEdited = id !== undefined || slug !== slugFrom(titulo)
  const suggested = useSuggestion(slugFrom(titulo), { initial: slug, startsEdited })
  return (
    <TextField
      form={form}
      name="slug"
      label={labels.slug}
      hint={fixed ?? `${slug.length} de ${campaignLimits.slug} caracteres: letras minúsculas, números e hífen`}
      required
      readOnly={fixed !== null}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      aria-describedby="slug-situacao"
      {...suggested}
    >
      <p className="hint slug-address">
        {location.host}/p/<strong>{slug || '...'}</strong>
      </p>
      {!fixed && <Availability slug={slug} id={id} />}
    </TextField>
  )
}

function Availability({ slug, id }: { slug: string; id: number | undefined }) {
  const debounced = useDebounced(slug, debounceMs)
  const parsed = slugSchema.safeParse(slug)
  const availability = useQuery({
    queryKey: ['endereco', debounced, id],
    queryFn: () => callAdmin(checkSlug, { query: { slug: debounced, id } }),
    enabled: parsed.success && debounced === slug,
    staleTime: 5_000,
    retry: false,
  })
  const formatError = slug && parsed.error?.issues[0]?.message
  const answer = parsed.success && debounced === slug ? availability.data : undefined
  return (
    <p
      className="hint slug-state"
      id="slug-situacao"
      role="status"
      data-good={answer?.available || undefined}
      data-bad={formatError || answer?.available === false || undefined}
    >
      {formatError || answer?.message || (availability.isFetching && 'Verificando...')}
    </p>
  )
}

// The address of a campaign: suggested from the title until somebody touches it, checked while it is typed.
import { useQuery } from '@tanstack/react-query'
import { campaignLimits, checkSlug, slugSchema } from '#contract/admin/campaigns.ts'
import { callAdmin } from '#web/admin/api.ts'
import { type CampaignValues, labels } from '#web/admin/campaigns/campaign-values.ts'
import { slugFrom } from '#web/admin/campaigns/slug.ts'
import { useSettled } from '#web/admin/campaigns/use-settled.ts'
import { useSuggestion } from '#web/admin/campaigns/use-suggestion.ts'
import { type FieldState, TextField } from '#web/forms/field.tsx'

interface SlugFieldProps {
  form: FieldState
  values: CampaignValues
  /** Of the campaign that has it now. */
  id: number | undefined
  /** Why it cannot be changed. */
  fixed: string | null
}

const pauseMs = 400

export function SlugField({ form, values, id, fixed }: SlugFieldProps) {
  const { slug, titulo } = values
  const suggested = useSuggestion(slugFrom(titulo), id !== undefined || slug !== slugFrom(titulo))
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
  const settled = useSettled(slug, pauseMs)
  const checked = slugSchema.safeParse(slug)
  const asked = useQuery({
    queryKey: ['endereco', settled, id],
    queryFn: () => callAdmin(checkSlug, { query: { slug: settled, id } }),
    enabled: checked.success && settled === slug,
    staleTime: 5_000,
    retry: false,
  })
  const wrong = slug && checked.error?.issues[0]?.message
  const answer = checked.success && settled === slug ? asked.data : undefined
  return (
    <p
      className="hint slug-state"
      id="slug-situacao"
      role="status"
      data-good={answer?.available || undefined}
      data-bad={wrong || answer?.available === false || undefined}
    >
      {wrong || answer?.message || (asked.isFetching && 'Verificando...')}
    </p>
  )
}

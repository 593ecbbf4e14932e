// The form of a campaign: its sections, what fits in each field, how it will look, and what is not saved yet.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { createCampaign, type StoredCampaign, themeNames, updateCampaign } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import {
  type CampaignValues,
  campaignValuesIn,
  differences,
  fieldNames,
  fieldsToSend,
  labels,
} from '#web/admin/campaigns/campaign-values.ts'
import { CountedField } from '#web/admin/campaigns/counted-field.tsx'
import { ManifestoField } from '#web/admin/campaigns/manifesto-field.tsx'
import { Preview } from '#web/admin/campaigns/preview.tsx'
import { ShareCard } from '#web/admin/campaigns/share-card.tsx'
import { sheetTabFrom } from '#web/admin/campaigns/slug.ts'
import { SlugField } from '#web/admin/campaigns/slug-field.tsx'
import { useSuggestion } from '#web/admin/campaigns/use-suggestion.ts'
import { keepDraft } from '#web/admin/ui/drafts.ts'
import { UploadedImageField } from '#web/admin/ui/image-field.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { UnsavedGuard } from '#web/admin/ui/unsaved-guard.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { CheckField, FormProblems, TextField } from '#web/forms/field.tsx'
import { valuesOf } from '#web/forms/form-values.ts'

interface Beginning {
  start: CampaignValues
  /** What is stored, as far as this form knows: what differs from it is not saved. */
  base: CampaignValues
  revision?: number
  /** How often two edits have met already. */
  round?: number
}

interface CampaignFormProps {
  stored?: StoredCampaign
  begin: Beginning
  /** Something else is to be decided first. */
  inert?: boolean
  /** Somebody else was quicker. */
  onMeeting?(meeting: { base: CampaignValues; mine: CampaignValues; stored: StoredCampaign }): void
}

const { campaign: sentences, image, session } = adminMessages
const draftName = 'campanha'

export function CampaignForm({ stored, begin, inert = false, onMeeting }: CampaignFormProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const leaving = useRef(false)
  const [told, setTold] = useState('')
  const [previewing, setPreviewing] = useState(false)
  const [uploads, setUploads] = useState(0)
  // What is typed while it is being saved is not saved.
  const sent = useRef(begin.base)
  const form = useAdminForm({
    endpoint: stored ? updateCampaign : (createCampaign as unknown as typeof updateCampaign),
    name: draftName,
    ...(stored && { params: { id: String(stored.id) } }),
    initial: {
      ...begin.start,
      isActive: '',
      // Kept with a draft, so that who comes back to it is still told what happened meanwhile.
      base: JSON.stringify(begin.base),
      revisao: String(begin.revision ?? 0),
    },
    startsTouched: differences(begin.start, begin.base).length > 0,
    prepare: (all) => ({
      ...fieldsToSend(campaignValuesIn(all)),
      revisao: Number(all.revisao),
      isActive: all.isActive === 'on',
    }),
    failed: sentences.failed,
    onSent({ message, campaign }) {
      setTold(message)
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      queries.setQueryData(['campanhas', campaign.id], { success: true, campaign })
      void queries.invalidateQueries({ queryKey: ['campanhas', 'lista'] })
      setBase(sent.current)
      setRevision(String(campaign.revisao))
      // Who has gone elsewhere meanwhile stays there.
      if (stored || !form.attributes.ref.current) return
      // What is suggested would follow the title still.
      const later = { ...read(), slug: sent.current.slug }
      if (later.sheetTab === sheetTabFrom(later.titulo)) later.sheetTab = sent.current.sheetTab
      if (differences(later, sent.current).length > 0) {
        const known = { base: JSON.stringify(sent.current), revisao: String(campaign.revisao) }
        keepDraft(`/admin/campanhas/${campaign.id}`, draftName, { ...later, ...known })
      }
      leaving.current = true
      void navigate(`/admin/campanhas/${campaign.id}`, { replace: true })
    },
    onRefused({ statusCode, refusal }) {
      showToast({ title: messages.toast.error, text: refusal.message || sentences.failed, tone: 'error' })
      if (statusCode === 409) meet(refusal.current as StoredCampaign)
    },
  })
  const [values, setValues] = useState(() =>
    campaignValuesIn(Object.fromEntries(fieldNames.map((name) => [name, form.initial(name)]))),
  )
  const [base, setBase] = useState(() => JSON.parse(form.initial('base')) as CampaignValues)
  const [revision, setRevision] = useState(form.initial('revisao'))
  const suggestedTab = useSuggestion(
    sheetTabFrom(values.titulo),
    stored !== undefined || values.sheetTab !== sheetTabFrom(values.titulo),
  )
  const unsaved = differences(values, base).length > 0
  const signatures = stored?.signatures ?? 0

  // The panel that was pressed in is gone.
  useEffect(() => {
    if (begin.round) document.getElementById(fieldNames[0] ?? '')?.focus()
  }, [begin.round])

  const read = () =>
    form.attributes.ref.current ? campaignValuesIn(valuesOf(form.attributes.ref.current, [])) : values
  const sending = form.step === 'sending'
  const meet = (current: StoredCampaign) => onMeeting?.({ base, mine: read(), stored: current })

  return (
    <>
      <form
        className="campaign-form"
        {...form.attributes}
        inert={inert}
        onSubmit={(event) => {
          if (!sending) sent.current = read()
          form.attributes.onSubmit(event)
        }}
        onInput={(event) => {
          form.attributes.onInput(event)
          setTold('')
          setValues(read())
        }}
      >
        <UnsavedGuard when={() => (unsaved || uploads > 0) && !leaving.current} />
        <input type="hidden" name="revisao" value={revision} />
        <input type="hidden" name="base" value={JSON.stringify(base)} />
        {form.restored && (
          <p className="notice" role="status">
            {session.draftBack}
          </p>
        )}
        {stored && stored.revisao > Number(revision) && !sending && (
          <div className="notice" role="status">
            <p>{sentences.changed(stored.alteradaPor ?? 'Outra pessoa')}</p>
            <button type="button" className="button small" disabled={uploads > 0} onClick={() => meet(stored)}>
              Ver o que mudou
            </button>
          </div>
        )}
        <FormProblems form={form} labels={labels} />

        <section className="panel" aria-labelledby="secao-texto">
          <h2 id="secao-texto">Texto</h2>
          <CountedField form={form} name="titulo" values={values} required autoComplete="off" />
          <SlugField form={form} values={values} id={stored?.id} fixed={stored?.slugFixo ?? null} />
          <CountedField form={form} name="subtitulo" values={values} autoComplete="off" />
          <ManifestoField form={form} />
        </section>

        <section className="panel" aria-labelledby="secao-aparencia">
          <h2 id="secao-aparencia">Aparência</h2>
          <fieldset className="themes">
            <legend>{labels.themeColor}</legend>
            {Object.entries(themeNames).map(([theme, name]) => (
              <label key={theme} className="check">
                <input
                  type="radio"
                  name="themeColor"
                  value={theme}
                  defaultChecked={form.initial('themeColor') === theme}
                />
                <span className="swatch" data-tema={theme} />
                <span>{name}</span>
              </label>
            ))}
          </fieldset>
          <UploadedImageField
            form={form}
            name="heroImageUrl"
            label={labels.heroImageUrl}
            hint="Opcional. Aparece abaixo do título."
            disabled={sending}
            countUploads={setUploads}
          />
        </section>

        <section className="panel" aria-labelledby="secao-link">
          <h2 id="secao-link">Compartilhamento</h2>
          <div className="beside">
            <div>
              <CountedField form={form} name="ogTitle" values={values} help="Vazio: o título da campanha." />
              <CountedField form={form} name="ogDescription" values={values} help="Vazia: o subtítulo." long />
              <UploadedImageField
                form={form}
                name="ogImageUrl"
                label={labels.ogImageUrl}
                hint="Opcional, de preferência com 1200 × 630 pixels. Sem ela, o site desenha um cartaz com a contagem."
                disabled={sending}
                countUploads={setUploads}
              />
            </div>
            <ShareCard values={values} signatures={signatures} />
          </div>
        </section>

        <section className="panel" aria-labelledby="secao-contagem">
          <h2 id="secao-contagem">Contagem e planilha</h2>
          <TextField
            form={form}
            name="baseCount"
            label={labels.baseCount}
            hint="Assinaturas colhidas fora do site: somam-se às daqui no contador."
            inputMode="numeric"
            autoComplete="off"
          />
          <CountedField
            form={form}
            name="sheetTab"
            values={values}
            required
            autoComplete="off"
            help="Onde as assinaturas entram na planilha."
            {...suggestedTab}
          />
          {!stored && <CheckField form={form} name="isActive" label="Pôr no ar assim que for criada" />}
        </section>

        <div className="save-bar">
          <button type="submit" className="button button-yellow" disabled={sending || uploads > 0}>
            {sending ? 'Salvando...' : stored ? 'Salvar' : 'Criar campanha'}
          </button>
          <button type="button" className="button" onClick={() => setPreviewing(true)}>
            Ver prévia
          </button>
          <p role="status">{uploads > 0 ? image.underway : unsaved ? 'Há mudanças não salvas' : told}</p>
        </div>
      </form>
      {/* Outside of the form: what is chosen in it is not of the campaign. */}
      {previewing && (
        <Preview
          values={values}
          signatures={signatures}
          version={stored?.versaoManifesto ?? 1}
          onClose={() => setPreviewing(false)}
        />
      )}
    </>
  )
}

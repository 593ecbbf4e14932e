// The form of a campaign: sections, length limits, previews and unsaved changes.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  campaignLimits,
  createCampaign,
  publicSignatures,
  type StoredCampaign,
  themeNames,
  updateCampaign,
} from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { connectionError } from '#web/admin/api/client.ts'
import { updateCachedCampaign } from '#web/admin/campaigns/campaign-queries.ts'
import { CampaignTextField } from '#web/admin/campaigns/campaign-text-field.tsx'
import {
  type CampaignValues,
  campaignValuesIn,
  differences,
  fieldNames,
  fieldsToSend,
  labels,
} from '#web/admin/campaigns/campaign-values.ts'
import { CountingModeChoice } from '#web/admin/campaigns/counting-mode.tsx'
import { Preview } from '#web/admin/campaigns/preview.tsx'
import { ShareCard } from '#web/admin/campaigns/share-card.tsx'
import { ShareTexts } from '#web/admin/campaigns/share-texts.tsx'
import { sheetTabFrom } from '#web/admin/campaigns/slug.ts'
import { SlugField } from '#web/admin/campaigns/slug-field.tsx'
import { useSuggestion } from '#web/admin/campaigns/use-suggestion.ts'
import { RichTextField } from '#web/admin/editor/rich-text-field.tsx'
import { saveDraft } from '#web/admin/ui/drafts.ts'
import { UploadedImageField } from '#web/admin/ui/image-field.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { UnsavedGuard } from '#web/admin/ui/unsaved-guard.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { CheckField, FormProblems, TextField } from '#web/forms/fields/field.tsx'
import { valuesOf } from '#web/forms/submission/form-values.ts'
import '#web/admin/ui/save-bar.css'

interface InitialState {
  values: CampaignValues
  /** The stored values as far as this form knows them; every difference is unsaved. */
  base: CampaignValues
  revision?: number
  /** How often the form was mounted anew: a conflict was resolved, or a draft discarded. */
  resets?: number
}

interface CampaignFormProps {
  stored?: StoredCampaign
  initial: InitialState
  /** A conflict must be resolved first. */
  inert?: boolean
  onUnsavedChange?(isUnsaved: boolean): void
  /** The fields were filled from a draft that is not saved yet. */
  onRestored(isRestored: boolean): void
  /** Another administrator saved first. */
  onConflict?(conflict: { base: CampaignValues; mine: CampaignValues; stored: StoredCampaign }): void
}

const { campaign: texts, image } = adminMessages
const draftName = 'campanha'

export function CampaignForm(props: CampaignFormProps) {
  const { stored, initial, inert = false, onConflict, onUnsavedChange, onRestored } = props
  const navigate = useNavigate()
  const queries = useQueryClient()
  const isLeaving = useRef(false)
  const [savedMessage, setSavedMessage] = useState('')
  const [previewing, setPreviewing] = useState(false)
  const [uploads, setUploads] = useState(0)
  // The submitted values: input during the request is not saved.
  const submitted = useRef(initial.base)
  const form = useAdminForm({
    endpoint: stored ? updateCampaign : (createCampaign as unknown as typeof updateCampaign),
    name: draftName,
    ...(stored && { params: { id: String(stored.id) } }),
    initial: {
      ...initial.values,
      isActive: '',
      // Part of the draft, so that a restored draft still detects changes made in the meantime.
      base: JSON.stringify(initial.base),
      revisao: String(initial.revision ?? 0),
    },
    startsTouched: differences(initial.values, initial.base).length > 0,
    prepare: (all) => ({
      ...fieldsToSend(campaignValuesIn(all)),
      revisao: Number(all.revisao),
      isActive: all.isActive === 'on',
    }),
    failed: texts.failed,
    onSent({ message, campaign }) {
      setSavedMessage(message)
      onRestored(false)
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      updateCachedCampaign(queries, campaign)
      setBase(submitted.current)
      setRevision(String(campaign.revisao))
      // A user who has navigated elsewhere stays there.
      if (stored || !form.attributes.ref.current) return
      const path = fillPath(adminPaths.campaign, { id: String(campaign.id) })
      // Here the suggested fields still follow the title: the submitted values count.
      const laterValues = { ...readValues(), slug: submitted.current.slug }
      if (laterValues.sheetTab === sheetTabFrom(laterValues.titulo)) laterValues.sheetTab = submitted.current.sheetTab
      if (differences(laterValues, submitted.current).length > 0) {
        const savedState = { base: JSON.stringify(submitted.current), revisao: String(campaign.revisao) }
        saveDraft(path, draftName, { ...laterValues, ...savedState })
      }
      isLeaving.current = true
      void navigate(path, { replace: true })
    },
    onRefused({ statusCode, refusal }) {
      showToast({ title: messages.toast.error, text: refusal.message || texts.failed, tone: 'error' })
      if (statusCode === 409) reportConflict(refusal.current as StoredCampaign)
    },
  })
  const [values, setValues] = useState(() =>
    campaignValuesIn(Object.fromEntries(fieldNames.map((name) => [name, form.initial(name)]))),
  )
  const [base, setBase] = useState(() => JSON.parse(form.initial('base')) as CampaignValues)
  const [revision, setRevision] = useState(form.initial('revisao'))
  const suggestedTab = useSuggestion(sheetTabFrom(values.titulo), {
    initial: values.sheetTab,
    startsEdited: stored !== undefined || values.sheetTab !== sheetTabFrom(values.titulo),
  })
  const unsaved = differences(values, base).length > 0
  const signatures = stored ? publicSignatures(stored, values.countingMode) : 0
  const status = stored?.status ?? 'draft'

  useEffect(() => onUnsavedChange?.(unsaved), [unsaved, onUnsavedChange])

  useEffect(() => onRestored(form.restored), [form.restored, onRestored])

  // The pressed button has been removed with the focus.
  useEffect(() => {
    if (initial.resets) document.getElementById(fieldNames[0] ?? '')?.focus()
  }, [initial.resets])

  const readValues = () =>
    form.attributes.ref.current ? campaignValuesIn(valuesOf(form.attributes.ref.current, [])) : values
  const sending = form.step === 'sending'
  /** Shown in the save bar: the problems at the top may be far away. */
  const isOffline = form.message === connectionError
  const reportConflict = (current: StoredCampaign) => onConflict?.({ base, mine: readValues(), stored: current })

  return (
    <>
      <form
        className="campaign-form"
        {...form.attributes}
        inert={inert}
        onSubmit={(event) => {
          if (!sending) submitted.current = readValues()
          form.attributes.onSubmit(event)
        }}
        onInput={(event) => {
          form.attributes.onInput(event)
          setSavedMessage('')
          setValues(readValues())
        }}
      >
        <UnsavedGuard when={() => (unsaved || uploads > 0) && !isLeaving.current} />
        <input type="hidden" name="revisao" value={revision} />
        <input type="hidden" name="base" value={JSON.stringify(base)} />
        {stored && stored.revisao > Number(revision) && !sending && (
          <div className="notice" role="status">
            <p>{texts.changed(stored.alteradaPor ?? 'Outra pessoa')}</p>
            <button
              type="button"
              className="button small"
              disabled={uploads > 0}
              onClick={() => reportConflict(stored)}
            >
              Ver o que mudou
            </button>
          </div>
        )}
        <FormProblems form={isOffline ? { ...form, message: '' } : form} labels={labels} />

        <section className="panel" aria-labelledby="secao-texto">
          <h2 id="secao-texto">Texto</h2>
          <CampaignTextField form={form} name="titulo" values={values} required autoComplete="off" />
          <SlugField form={form} values={values} id={stored?.id} fixed={stored?.slugFixo ?? null} />
          <CampaignTextField form={form} name="subtitulo" values={values} autoComplete="off" />
          <RichTextField
            form={form}
            name="manifestoHtml"
            label={labels.manifestoHtml}
            limit={campaignLimits.manifestoHtml}
            required
          />
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
              <CampaignTextField form={form} name="ogTitle" values={values} help="Vazio: o título da campanha." />
              <CampaignTextField form={form} name="ogDescription" values={values} help="Vazia: o subtítulo." long />
              <UploadedImageField
                form={form}
                name="ogImageUrl"
                label={labels.ogImageUrl}
                hint="Opcional, de preferência com 1200 × 630 pixels. Sem ela, o site desenha um cartaz com a contagem."
                disabled={sending}
                countUploads={setUploads}
              />
            </div>
            <ShareCard values={values} signatures={signatures} status={status} />
          </div>
          <h3>Textos prontos por rede</h3>
          <ShareTexts form={form} values={values} status={status} />
        </section>

        <section className="panel" aria-labelledby="secao-contagem">
          <h2 id="secao-contagem">Meta, contagem e planilha</h2>
          <TextField
            form={form}
            name="meta"
            label={labels.meta}
            hint="Opcional. Vazia: o próximo número redondo."
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField
            form={form}
            name="baseCount"
            label={labels.baseCount}
            hint="Assinaturas colhidas fora do site: somam-se às daqui no contador."
            inputMode="numeric"
            autoComplete="off"
          />
          <CountingModeChoice form={form} values={values} stored={stored} />
          <CampaignTextField
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

        {status === 'draft' ? (
          <input type="hidden" name="resultHtml" defaultValue={form.initial('resultHtml')} />
        ) : (
          <section className="panel" aria-labelledby="secao-resultado">
            <h2 id="secao-resultado">{labels.resultHtml}</h2>
            <p className="faint">
              {status === 'live'
                ? 'Aparece no lugar do formulário quando a campanha for encerrada. Pode ser escrito antes.'
                : 'Está no lugar do formulário. Conte o que aconteceu e agradeça a quem assinou.'}
            </p>
            <details
              open={status !== 'live' || form.initial('resultHtml') !== '' || form.errors.resultHtml !== undefined}
            >
              <summary>Escrever o resultado</summary>
              <RichTextField
                form={form}
                name="resultHtml"
                label={labels.resultHtml}
                limit={campaignLimits.resultHtml}
              />
            </details>
          </section>
        )}

        <div className="save-bar">
          <button type="submit" className="button button-yellow" disabled={sending || uploads > 0}>
            {sending ? 'Salvando...' : stored ? 'Salvar' : 'Criar campanha'}
          </button>
          <button type="button" className="button" onClick={() => setPreviewing(true)}>
            Ver prévia
          </button>
          <p role="status">{uploads > 0 ? image.underway : unsaved ? 'Há mudanças não salvas' : savedMessage}</p>
          <p role="alert" className="error">
            {isOffline && form.message}
          </p>
        </div>
      </form>
      {/* Outside the form: its inputs do not belong to the campaign. */}
      {previewing && (
        <Preview
          values={values}
          signatures={signatures}
          version={stored?.versaoManifesto ?? 1}
          status={status}
          onClose={() => setPreviewing(false)}
        />
      )}
    </>
  )
}

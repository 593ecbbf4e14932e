// The form of a news item: text, image, destinations and recipients, with previews and unsaved changes.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { createNews, type NewsSegment, newsLimits, type StoredNews, updateNews } from '#contract/admin/news.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { connectionError } from '#web/admin/api/client.ts'
import { campaignListQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { RichTextField } from '#web/admin/editor/rich-text-field.tsx'
import { ContentImageChoice } from '#web/admin/news/content-image-choice.tsx'
import { NewsConflict } from '#web/admin/news/news-conflict.tsx'
import { NewsPreview } from '#web/admin/news/news-preview.tsx'
import { updateCachedNews } from '#web/admin/news/news-queries.ts'
import {
  differences,
  fieldsToSend,
  type NewsValues,
  newsLabels,
  newsValuesIn,
  segmentErrors,
  segmentIn,
  segmentOfCampaign,
  segmentText,
  valuesOfNews,
} from '#web/admin/news/news-values.ts'
import { PublishPanel } from '#web/admin/news/publish-panel.tsx'
import { CountPanel } from '#web/admin/news/recipient-count.tsx'
import { SavedSegments } from '#web/admin/news/saved-segments.tsx'
import { SegmentFields } from '#web/admin/news/segment-fields.tsx'
import { useIsCoordinator } from '#web/admin/session/session.ts'
import { CountedField } from '#web/admin/ui/counted-field.tsx'
import { saveDraft } from '#web/admin/ui/drafts.ts'
import { UploadedImageField } from '#web/admin/ui/image-field.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { UnsavedGuard } from '#web/admin/ui/unsaved-guard.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { FormProblems, SelectField } from '#web/forms/fields/field.tsx'
import { valuesOf } from '#web/forms/submission/form-values.ts'
import type { FieldState } from '#web/forms/submission/use-submission.ts'
import '#web/admin/ui/save-bar.css'

const { news: texts, image } = adminMessages
const draftName = 'novidade'

interface NewsFormProps {
  stored?: StoredNews
  initial: NewsValues
  /** Campaign of a new news item. */
  campaignId?: number | undefined
  /** How often the form was mounted anew. */
  resets: number
  /** Drops the values of the form for the stored ones. */
  onReset(): void
  /** The fields were filled from a draft that is not saved yet. */
  onRestored(isRestored: boolean): void
}

export function NewsForm({ stored, initial, campaignId, resets, onReset, onRestored }: NewsFormProps) {
  const navigate = useNavigate()
  const isCoordinator = useIsCoordinator()
  const queries = useQueryClient()
  const isLeaving = useRef(false)
  const [savedMessage, setSavedMessage] = useState('')
  const [isPreviewing, setPreviewing] = useState(false)
  const [uploads, setUploads] = useState(0)
  const [conflict, setConflict] = useState<StoredNews>()
  /** Requested by a button that needs saved values, for the next submission only. */
  const requested = useRef<() => void>(undefined)
  const afterSubmission = useRef<() => void>(undefined)
  const isPublished = stored?.status === 'published'
  // The submitted values: input during the request is not saved.
  const submitted = useRef(initial)
  const form = useAdminForm({
    endpoint: stored ? updateNews : (createNews as unknown as typeof updateNews),
    name: draftName,
    ...(stored && { params: { id: String(stored.id) } }),
    initial: {
      ...initial,
      campanha: String(campaignId ?? ''),
      // Part of the draft, so that a restored draft still detects changes made in the meantime.
      base: JSON.stringify(initial),
      revisao: String(stored?.revisao ?? 0),
    },
    prepare: (all) => ({
      ...fieldsToSend(newsValuesIn(all)),
      // Fixed since the publication.
      ...(isPublished && { naPagina: stored.naPagina, porEmail: stored.porEmail, segmento: stored.segmento }),
      ...(stored ? { revisao: Number(all.revisao) } : { campanha: Number(all.campanha) || undefined }),
    }),
    failed: 'Erro ao salvar a novidade',
    onSent({ message, novidade }) {
      setSavedMessage(message)
      onRestored(false)
      showToast({ title: messages.toast.success, text: message, tone: 'success' })
      updateCachedNews(queries, novidade)
      setBase(submitted.current)
      setRevision(String(novidade.revisao))
      afterSubmission.current?.()
      // A user who has navigated elsewhere stays there.
      if (stored || !form.attributes.ref.current) return
      const path = fillPath(adminPaths.newsItem, { id: String(novidade.id) })
      const later = readValues()
      if (differences(later, submitted.current).length > 0) {
        const savedState = { base: JSON.stringify(submitted.current), revisao: String(novidade.revisao) }
        saveDraft(path, draftName, { ...later, ...savedState })
      }
      isLeaving.current = true
      void navigate(path, { replace: true })
    },
    onRefused({ statusCode, refusal }) {
      showToast({ title: messages.toast.error, text: refusal.message || texts.revision, tone: 'error' })
      if (statusCode === 409 && refusal.current) setConflict(refusal.current as StoredNews)
    },
  })
  const [values, setValues] = useState(() => newsValuesIn(Object.fromEntries(valueNames(form.initial))))
  const [segment, setSegment] = useState(() => segmentIn(values.segmento))
  const [base, setBase] = useState(() => JSON.parse(form.initial('base')) as NewsValues)
  const [campaign, setCampaign] = useState(form.initial('campanha'))
  const [revision, setRevision] = useState(form.initial('revisao'))
  const hiddenSegment = useRef<HTMLInputElement>(null)
  const changed = differences(values, base).filter(
    (name) => !isPublished || (name !== 'naPagina' && name !== 'porEmail' && name !== 'segmento'),
  )
  const isUnsaved = changed.length > 0
  const sending = form.step === 'sending'
  /** Shown in the save bar: the problems at the top may be far away. */
  const isOffline = form.message === connectionError

  const readValues = () =>
    form.attributes.ref.current ? newsValuesIn(valuesOf(form.attributes.ref.current, [])) : values

  useEffect(() => onRestored(form.restored), [form.restored, onRestored])

  // Publishing and scheduling also count as a change. They leave the fields alone, so the edit goes on from there.
  if (stored && stored.revisao > Number(revision) && !sending && sameContent(stored, base, isPublished))
    setRevision(String(stored.revisao))

  // The pressed button has been removed with the focus.
  useEffect(() => {
    if (resets) document.getElementById('titulo')?.focus()
  }, [resets])

  // A hidden input cannot take the focus, so the heading does when the server refuses the segment.
  useLayoutEffect(() => {
    if (hiddenSegment.current) hiddenSegment.current.focus = () => document.getElementById('segmento')?.focus()
  }, [])

  // The form reads the segment from a hidden input, which fires no event when it is changed by script.
  const text = segmentText(segment)
  const renderedSegment = useRef(text)
  useLayoutEffect(() => {
    if (renderedSegment.current === text) return
    renderedSegment.current = text
    hiddenSegment.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [text])

  function changeSegment(next: NewsSegment): void {
    setSegment(next)
    const remaining = segmentErrors(next)
    for (const field of Object.keys(form.errors))
      if (field.startsWith('segmento')) form.dispatch({ field, error: remaining[field] })
  }

  /** The selection follows the campaign as long as it is the suggested one. */
  function chooseCampaign(id: string): void {
    const suggested = segmentText(segmentOfCampaign(Number(campaign) || undefined))
    setCampaign(id)
    if (text === suggested) changeSegment(segmentOfCampaign(Number(id) || undefined))
  }

  function afterSaving(action: () => void): void {
    if (isUnsaved) {
      requested.current = action
      form.attributes.ref.current?.requestSubmit()
    } else action()
  }

  function saveMine(current: StoredNews): void {
    flushSync(() => {
      setRevision(String(current.revisao))
      setConflict(undefined)
    })
    form.attributes.ref.current?.requestSubmit()
  }

  function keepStored(current: StoredNews): void {
    updateCachedNews(queries, current)
    isLeaving.current = true
    onReset()
  }

  return (
    <>
      <form
        className="news-form"
        aria-label="Novidade"
        {...form.attributes}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          if (!sending) {
            submitted.current = readValues()
            afterSubmission.current = requested.current
          }
          requested.current = undefined
          form.attributes.onSubmit(event)
        }}
        onInput={(event: FormEvent<HTMLFormElement>) => {
          form.attributes.onInput(event)
          setSavedMessage('')
          setValues(readValues())
        }}
      >
        <UnsavedGuard when={() => (isUnsaved || uploads > 0) && !isLeaving.current} />
        <input type="hidden" name="revisao" value={revision} />
        <input type="hidden" name="base" value={JSON.stringify(base)} />
        <input ref={hiddenSegment} type="hidden" name="segmento" value={text} />
        {stored && stored.revisao > Number(revision) && !sending && !conflict && (
          <div className="notice" role="status">
            <p>{texts.conflict}</p>
            <button type="button" className="button small" onClick={() => setConflict(stored)}>
              Ver o que mudou
            </button>
          </div>
        )}
        <FormProblems form={isOffline ? { ...form, message: '' } : form} labels={newsLabels} />

        <section className="panel" aria-labelledby="secao-texto">
          <h2 id="secao-texto">Texto</h2>
          {isPublished && (
            <p className="faint">O que você mudar aparece na página. Quem já recebeu o e-mail não recebe de novo.</p>
          )}
          {!stored && <CampaignChoice form={form} campaign={campaign} onChoose={chooseCampaign} />}
          <CountedField
            form={form}
            name="titulo"
            label={newsLabels.titulo}
            text={values.titulo}
            limit={newsLimits.title}
            help="É também o assunto do e-mail."
            required
            autoComplete="off"
          />
          <RichTextField form={form} name="html" label={newsLabels.html} limit={newsLimits.html} required />
          <UploadedImageField
            form={form}
            name="imagem"
            label={newsLabels.imagem}
            hint="Opcional. Aparece na página, no e-mail e no link compartilhado."
            disabled={sending}
            countUploads={setUploads}
          >
            {(choose) => <ContentImageChoice onChoose={choose} />}
          </UploadedImageField>
        </section>

        {isPublished || !isCoordinator ? (
          <>
            <input type="hidden" name="naPagina" value={initial.naPagina} />
            <input type="hidden" name="porEmail" value={initial.porEmail} />
            {!isPublished && <p className="notice">Sai na página da campanha. {texts.emailRole}.</p>}
          </>
        ) : (
          <section className="panel" aria-labelledby="secao-destinos">
            <h2 id="secao-destinos">Onde publicar</h2>
            <fieldset className="news-destinations">
              <legend className="hidden">Onde publicar</legend>
              <Destination form={form} name="naPagina" label="Na página da campanha" />
              <Destination form={form} name="porEmail" label="Por e-mail" />
              {form.errors.porEmail && (
                <p className="error" id="porEmail-erro">
                  {form.errors.porEmail}
                </p>
              )}
            </fieldset>
          </section>
        )}

        {!isPublished && isCoordinator && values.porEmail !== '' && (
          <section className="panel" aria-labelledby="segmento">
            <h2 id="segmento" tabIndex={-1}>
              {newsLabels.segmento}
            </h2>
            <p className="faint">
              Só recebe quem aceitou novidades e confirmou o e-mail. Quem tem dois cadastros recebe uma vez só.
            </p>
            {form.errors.segmento && <p className="error">{form.errors.segmento}</p>}
            <SavedSegments segment={segment} onLoad={changeSegment} />
            <SegmentFields form={form} segment={segment} newsId={stored?.id} onChange={changeSegment} />
            {stored ? (
              <CountPanel
                news={stored}
                isSegmentUnsaved={values.segmento !== base.segmento}
                isUnsaved={isUnsaved}
                afterSaving={afterSaving}
              />
            ) : (
              <p className="faint">Salve o rascunho para contar quantas pessoas recebem.</p>
            )}
          </section>
        )}

        <div className="save-bar">
          <button type="submit" className="button button-yellow" disabled={sending || uploads > 0}>
            {sending ? 'Salvando...' : stored ? 'Salvar' : 'Salvar rascunho'}
          </button>
          <button type="button" className="button" onClick={() => setPreviewing(true)}>
            Ver prévia
          </button>
          <p role="status">{uploads > 0 ? image.underway : isUnsaved ? 'Há mudanças não salvas' : savedMessage}</p>
          <p role="alert" className="error">
            {isOffline && form.message}
          </p>
        </div>
      </form>
      {/* Outside the form: their inputs do not belong to the news item. */}
      {stored && !isPublished && <PublishPanel news={stored} isUnsaved={isUnsaved} afterSaving={afterSaving} />}
      {isPreviewing && (
        <NewsPreview
          values={values}
          stored={stored}
          campaignId={stored?.campanha.id ?? (Number(campaign) || undefined)}
          isUnsaved={isUnsaved}
          afterSaving={afterSaving}
          onClose={() => setPreviewing(false)}
        />
      )}
      {conflict && (
        <NewsConflict
          mine={values}
          stored={conflict}
          onSaveMine={() => saveMine(conflict)}
          onUseStored={() => keepStored(conflict)}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  )
}

const valueNames = (initial: (name: string) => string) =>
  (['titulo', 'html', 'imagem', 'naPagina', 'porEmail', 'segmento'] as const).map((name) => [name, initial(name)])

/** The fields that the form shows are stored as the edit began. */
function sameContent(stored: StoredNews, base: NewsValues, isPublished: boolean): boolean {
  const names = differences(valuesOfNews(stored), base)
  return names.every((name) => isPublished && (name === 'naPagina' || name === 'porEmail' || name === 'segmento'))
}

interface CampaignChoiceProps {
  form: FieldState
  campaign: string
  onChoose(id: string): void
}

function CampaignChoice({ form, campaign, onChoose }: CampaignChoiceProps) {
  const { data } = useQuery(campaignListQuery)
  return (
    <SelectField
      form={form}
      name="campanha"
      label={newsLabels.campanha}
      hint="Depois de salva, a novidade não muda de campanha."
      required
      defaultValue={undefined}
      value={campaign}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      <option value="">Escolha a campanha</option>
      {/* Remains selected while the list is loaded. */}
      {campaign && !data?.campaigns.some(({ id }) => String(id) === campaign) && (
        <option value={campaign}>Campanha {campaign}</option>
      )}
      {data?.campaigns.map(({ id, titulo, isActive }) => (
        <option key={id} value={id}>
          {isActive ? titulo : `${titulo} (fora do ar)`}
        </option>
      ))}
    </SelectField>
  )
}

interface DestinationProps {
  form: FieldState
  name: 'naPagina' | 'porEmail'
  label: string
}

function Destination({ form, name, label }: DestinationProps) {
  const error = form.errors.porEmail
  return (
    <label className="check">
      <input
        type="checkbox"
        id={name}
        name={name}
        defaultChecked={form.initial(name) !== ''}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'porEmail-erro' : undefined}
      />
      <span>{label}</span>
    </label>
  )
}

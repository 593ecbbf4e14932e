// State of the settings form: edits, validation by the shared schema, saving, conflicts, and the draft of a lost session.
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { changedPaths, type SiteFields, type StoredSite, saveSiteSettings, siteFields } from '#contract/admin/site.ts'
import { messages } from '#contract/messages.ts'
import { withCountryCode } from '#contract/phone.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { withValue } from '#web/admin/site/merge-settings.ts'
import { updateCachedSite } from '#web/admin/site/site-queries.ts'
import { useDraftAutosave, useStoredDraft } from '#web/admin/ui/drafts.ts'
import { showToast } from '#web/admin/ui/toast.ts'
import { ApiFailure } from '#web/api/client.ts'

const { site: texts } = adminMessages

type Errors = Record<string, string>

/** What the fields of the form need. */
export interface SiteEditor {
  settings: SiteFields
  deputado: StoredSite['deputado']
  /** By the path of the field. */
  errors: Errors
  isLocked(path: string): boolean
  set(path: string, value: unknown): void
}

function validate(settings: SiteFields): Errors {
  const errors: Errors = {}
  for (const { path, message } of siteFields.safeParse(settings).error?.issues ?? []) errors[path.join('.')] ??= message
  return errors
}

/** Slots without links and an empty chatbot name are not stored. The WhatsApp number has its country code. */
function prepare({ contato, grupos, botconversa, ...settings }: SiteFields): SiteFields {
  const filled = <Slots extends object>(slots: Slots) =>
    Object.fromEntries(Object.entries(slots).filter(([, links]) => links.length > 0)) as Slots
  return {
    ...settings,
    contato: { ...contato, whatsapp: withCountryCode(contato.whatsapp) },
    grupos: { ...grupos, campanhas: filled(grupos.campanhas), estados: filled(grupos.estados) },
    ...(botconversa?.empresa && { botconversa }),
  }
}

export function useSiteForm(stored: StoredSite) {
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const draft = useStoredDraft('site')
  const [start] = useState(() => {
    const restored = draft.restored?.rascunho
    const initial = { settings: stored.settings, base: stored.settings, versao: stored.versao }
    return restored ? (JSON.parse(String(restored)) as typeof initial) : initial
  })
  const [settings, setSettings] = useState(start.settings)
  const [base, setBase] = useState({ settings: start.base, versao: start.versao })
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState('')
  const [message, setMessage] = useState('')
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<StoredSite>()
  /** Changes when the fields are replaced as a whole, to render them anew. */
  const [round, setRound] = useState(0)
  const [refusals, setRefusals] = useState(0)
  const unsaved = changedPaths(base.settings, settings).length > 0
  const discardDraft = useDraftAutosave(draft, { element: form, touched: unsaved })

  // After the errors are rendered.
  useEffect(() => {
    if (refusals === 0) return
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    invalid?.focus({ preventScroll: true })
    invalid?.scrollIntoView({ block: 'center', behavior: 'instant' })
  }, [refusals])

  function refuse(found: Errors, text = ''): void {
    setErrors(found)
    setProblem(text)
    setRefusals((count) => count + 1)
  }

  /** Replaces the form with saved settings. */
  function adopt(site: StoredSite, next = site.settings): void {
    setBase({ settings: site.settings, versao: site.versao })
    setSettings(next)
    setErrors({})
    setProblem('')
    setConflict(undefined)
    setRound((count) => count + 1)
  }

  // Settings that were restored or saved elsewhere replace the form, unless they would replace an edit.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when newer settings arrive
  useEffect(() => {
    if (stored.versao > base.versao && !unsaved && !isSaving) adopt(stored)
  }, [stored.versao])

  async function save(): Promise<void> {
    const sent = prepare(settings)
    const found = validate(sent)
    setMessage('')
    if (Object.keys(found).length > 0) return refuse(found)
    setErrors({})
    setProblem('')
    setSaving(true)
    try {
      const { message: text, site } = await callAdmin(saveSiteSettings, { body: { ...sent, versao: base.versao } })
      updateCachedSite(queries, site)
      discardDraft()
      adopt(site)
      setMessage(text)
      showToast({ title: messages.toast.success, text, tone: 'success' })
    } catch (error) {
      const refusal = error instanceof ApiFailure ? error.refusal : undefined
      const text = errorMessage(error, texts.failed)
      showToast({ title: messages.toast.error, text, tone: 'error' })
      if (error instanceof ApiFailure && error.statusCode === 409) setConflict(refusal?.current as StoredSite)
      else refuse(refusal?.errors ?? {}, text)
    } finally {
      setSaving(false)
    }
  }

  const editor: SiteEditor = {
    settings,
    deputado: stored.deputado,
    errors,
    isLocked: (path) => stored.travados.some((locked) => path === locked || path.startsWith(`${locked}.`)),
    set(path, value) {
      const next = withValue(settings, path, value)
      setSettings(next)
      setMessage('')
      // Fields that were refused are checked again at every input; the others wait until the next save.
      if (Object.keys(errors).length > 0) {
        const found = validate(prepare(next))
        setErrors(Object.fromEntries(Object.entries(found).filter(([field]) => field in errors)))
      }
    },
  }

  return {
    ...{ form, editor, base, problem, message, isSaving, unsaved, conflict, round, adopt },
    restored: draft.restored !== undefined,
    draftText: JSON.stringify({ settings, base: base.settings, versao: base.versao }),
    onSubmit(event: FormEvent) {
      event.preventDefault()
      if (!isSaving) void save()
    },
  }
}

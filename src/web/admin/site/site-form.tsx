// The form of the site settings: one section per subject, one button that saves all of them.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { type StoredSite, siteLabels, sitePaths, valueAt } from '#contract/admin/site.ts'
import { messages } from '#contract/messages.ts'
import { withCountryCode } from '#contract/phone.ts'
import { profiles } from '#contract/site.ts'
import { maxNewsPerDay } from '#contract/site-settings.ts'
import { states } from '#contract/states.ts'
import { campaignListQuery } from '#web/admin/campaigns/campaign-queries.ts'
import { CampaignGroups, GroupSlot, StateGroups } from '#web/admin/site/group-links.tsx'
import { HeaderPreview } from '#web/admin/site/header-preview.tsx'
import { MenuEditor } from '#web/admin/site/menu-editor.tsx'
import { describedBy, FieldNotes, SettingField } from '#web/admin/site/setting-field.tsx'
import { SiteConflict } from '#web/admin/site/site-conflict.tsx'
import { type SiteEditor, useSiteForm } from '#web/admin/site/use-site-form.ts'
import { SaveIcon } from '#web/admin/ui/icons.tsx'
import { UploadedImageField } from '#web/admin/ui/image-field.tsx'
import { UnsavedGuard } from '#web/admin/ui/unsaved-guard.tsx'
import '#web/forms/fields/field.css'
import '#web/admin/ui/save-bar.css'

const sections = {
  identidade: 'Identidade',
  contato: 'Contato',
  redes: 'Redes',
  grupos: 'Grupos de WhatsApp',
  comunidade: 'Comunidade',
  menu: 'Menu',
} as const

const digitsOnly = (value: string) => value.replace(/\D/g, '')

export function SiteForm({ stored }: { stored: StoredSite }) {
  const { form, editor, base, problem, message, isSaving, unsaved, conflict, round, adopt, ...rest } =
    useSiteForm(stored)
  const [uploads, setUploads] = useState(0)
  const { settings } = editor
  const newer = stored.versao > base.versao && unsaved && !isSaving ? stored : undefined
  const status = uploads > 0 ? adminMessages.image.underway : unsaved ? 'Há mudanças não salvas' : message
  return (
    <>
      <UnsavedGuard when={() => unsaved || uploads > 0} />
      {(conflict ?? newer) && (
        <SiteConflict
          base={base.settings}
          mine={settings}
          stored={conflict ?? (newer as StoredSite)}
          onResolve={(merged) => adopt(conflict ?? (newer as StoredSite), merged)}
        />
      )}
      <nav className="site-sections" aria-label="Seções desta página">
        <ul>
          {Object.entries(sections).map(([id, name]) => (
            <li key={id}>
              <Jump to={id}>{name}</Jump>
            </li>
          ))}
          <li>
            <Jump to="versoes">Versões</Jump>
          </li>
        </ul>
      </nav>
      {/* Inert during a conflict: further input would not be part of the merged values. */}
      <form className="site-form" ref={form} noValidate onSubmit={rest.onSubmit} inert={conflict !== undefined}>
        <input type="hidden" name="rascunho" value={rest.draftText} />
        {rest.restored && (
          <p className="notice" role="status">
            {adminMessages.session.draftBack}
          </p>
        )}
        <Problems editor={editor} problem={problem} />

        <Section id="identidade">
          <SettingField editor={editor} path="movimento" autoComplete="off" />
          <SettingField
            editor={editor}
            path="lema"
            autoComplete="off"
            hint="Uma frase: aparece em links compartilhados e no Google."
          />
          <SettingField editor={editor} path="hashtag" autoComplete="off" autoCapitalize="none" />
          <LogoField key={round} editor={editor} countUploads={setUploads} />
          <HeaderPreview settings={settings} deputado={editor.deputado} />
        </Section>

        <Section id="contato">
          <SettingField editor={editor} path="contato.email" type="email" inputMode="email" autoComplete="off" />
          <SettingField
            editor={editor}
            path="contato.whatsapp"
            type="tel"
            inputMode="tel"
            autoComplete="off"
            clean={digitsOnly}
            onBlur={() => {
              const number = withCountryCode(settings.contato.whatsapp)
              if (number !== settings.contato.whatsapp) editor.set('contato.whatsapp', number)
            }}
            hint="Do botão flutuante. Com o código do país, só números: 5511900000000"
          />
          <SettingField
            editor={editor}
            path="contato.mensagem"
            autoComplete="off"
            hint="Já vem escrita quando a pessoa toca no botão."
          />
          <CheckSetting editor={editor} />
          <DailyNewsLimit editor={editor} />
          <SettingField
            editor={editor}
            path="botconversa.empresa"
            autoComplete="off"
            autoCapitalize="none"
            hint="Opcional. A palavra depois do endereço do BotConversa: com ela, cada conversa tem um link para lá."
          />
        </Section>

        <Section id="redes" intro="Deixe em branco o perfil que não existe: o link some do site.">
          <div className="site-profiles">
            {profiles.map((profile) => (
              <SettingField
                key={profile}
                editor={editor}
                path={`perfis.${profile}`}
                type="url"
                inputMode="url"
                autoComplete="off"
                placeholder="https://"
              />
            ))}
          </div>
        </Section>

        <Section
          id="grupos"
          intro="Um grupo encheu? Marque “Cheio”: o site passa para o próximo link da lista. Se todos estiverem cheios, fica o último."
        >
          {(['geral', 'criadores', 'influenciadores'] as const).map((slot) => (
            <GroupSlot
              key={slot}
              editor={editor}
              path={`grupos.${slot}`}
              name={siteLabels[`grupos.${slot}`]}
              {...(slot !== 'geral' && { hint: 'Sem link, usa o grupo geral.' })}
            />
          ))}
          <p className="faint">
            O endereço <code>/grupo/campanha?uf=SP</code> leva ao grupo da campanha; sem ele, ao do estado; sem os dois,
            ao geral.
          </p>
          <CampaignGroups editor={editor} />
          <StateGroups editor={editor} />
        </Section>

        <Section id="comunidade">
          <SettingField
            editor={editor}
            path="comunidade.formulario"
            type="url"
            inputMode="url"
            autoComplete="off"
            hint="Endereço do formulário que aparece dentro da página Comunidade."
          />
          <div className="site-figures">
            <SettingField editor={editor} path="comunidade.membros" autoComplete="off" />
            <SettingField editor={editor} path="comunidade.assinaturas" autoComplete="off" />
            <SettingField editor={editor} path="comunidade.cidades" autoComplete="off" />
          </div>
          <SettingField
            editor={editor}
            path="comunidade.origem"
            autoComplete="off"
            hint="De onde vêm os números: aparece abaixo deles."
          />
        </Section>

        <Section
          id="menu"
          intro="Links do cabeçalho, na ordem em que aparecem. Link para campanha fora do ar não aparece."
        >
          <MenuEditor editor={editor} />
          <p className="faint">
            O deputado da petição ({editor.deputado.nome}) vem do arquivo de configuração do servidor e não muda aqui:
            dele dependem endereços do site.
          </p>
        </Section>

        <div className="save-bar">
          <button type="submit" className="button button-yellow" disabled={isSaving || uploads > 0}>
            <SaveIcon size={18} /> {isSaving ? 'Salvando...' : 'Salvar'}
          </button>
          <p role="status">{status}</p>
        </div>
      </form>
    </>
  )
}

/**
 * A link within the page. The router must not see it: it would treat the change of the hash as a navigation, which the
 * guard of unsaved changes may block.
 */
function Jump({ to, children }: { to: string; children: React.ReactNode }) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        event.preventDefault()
        const target = document.getElementById(to)
        const heading = target?.matches('section') ? target.querySelector('h2') : undefined
        target?.scrollIntoView({ block: heading ? 'start' : 'center' })
        ;(heading ?? target)?.focus({ preventScroll: true })
      }}
    >
      {children}
    </a>
  )
}

interface SectionProps {
  id: keyof typeof sections
  intro?: string
  children: React.ReactNode
}

function Section({ id, intro, children }: SectionProps) {
  return (
    <section className="panel" id={id} aria-labelledby={`${id}-titulo`}>
      <h2 id={`${id}-titulo`} tabIndex={-1}>
        {sections[id]}
      </h2>
      {intro && <p className="faint">{intro}</p>}
      {children}
    </section>
  )
}

interface LogoFieldProps {
  editor: SiteEditor
  countUploads: React.ComponentProps<typeof UploadedImageField>['countUploads']
}

function LogoField({ editor, countUploads }: LogoFieldProps) {
  const { settings, errors } = editor
  const field = { errors, initial: () => settings.logo, chosen: () => false }
  const isLocked = editor.isLocked('logo')
  return (
    <div
      onInput={({ target }) => {
        const { name, value } = target as HTMLInputElement
        if (name === 'logo') editor.set('logo', value)
      }}
    >
      <UploadedImageField
        form={field}
        name="logo"
        label={siteLabels.logo}
        hint="Quadrado, com fundo transparente. Aparece no cabeçalho e nas imagens de links. Sem ele, o megafone."
        disabled={isLocked}
        countUploads={countUploads}
      />
      {isLocked && <FieldNotes editor={{ ...editor, errors: {} }} path="logo" />}
    </div>
  )
}

function CheckSetting({ editor }: { editor: SiteEditor }) {
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          id="lembrete"
          checked={editor.settings.lembrete}
          disabled={editor.isLocked('lembrete')}
          onChange={({ currentTarget }) => editor.set('lembrete', currentTarget.checked)}
        />
        <span>Mandar um lembrete por e-mail a quem não confirmou a assinatura em dois dias</span>
      </label>
      <FieldNotes editor={editor} path="lembrete" />
    </>
  )
}

const newsPerDayChoices = Array.from({ length: maxNewsPerDay }, (_, index) => index + 1)
const newsPerDayHint =
  'Quantos e-mails de novidade cada pessoa recebe por dia, no máximo, de todas as campanhas. Os outros esperam até o dia seguinte.'

function DailyNewsLimit({ editor }: { editor: SiteEditor }) {
  const path = 'novidadesPorDia'
  return (
    <div className="field">
      <label htmlFor={path}>{siteLabels[path]}</label>
      <select
        {...describedBy(editor, path, newsPerDayHint)}
        id={path}
        value={editor.settings.novidadesPorDia}
        disabled={editor.isLocked(path)}
        onChange={({ currentTarget }) => editor.set(path, Number(currentTarget.value))}
      >
        {newsPerDayChoices.map((limit) => (
          <option key={limit}>{limit}</option>
        ))}
      </select>
      <FieldNotes editor={editor} path={path} hint={newsPerDayHint} />
    </div>
  )
}

/** Summary of all errors; each one links to its field. */
function Problems({ editor, problem }: { editor: SiteEditor; problem: string }) {
  const found = Object.entries(editor.errors)
  const { data } = useQuery(campaignListQuery)
  function labelOf(field: string): string {
    const [, item, part] = /^menu\.(\d+)\.(\w+)$/.exec(field) ?? []
    if (item) return `${part === 'texto' ? 'Texto' : 'Endereço'} do link ${Number(item) + 1} do menu`
    const [, slot = '', key, index] =
      /^(grupos\.(?:\w+|(?:campanhas|estados)\.([\w-]+)))\.(\d+)\.link$/.exec(field) ?? []
    const path = sitePaths.find((each) => field === each || field.startsWith(`${each}.`))
    const name = path ? siteLabels[path] : ''
    if (!index) return name
    const title = data?.campaigns.find(({ slug }) => slug === key)?.titulo ?? states[key as keyof typeof states] ?? key
    const isOnly = (valueAt(editor.settings, slot) as unknown[]).length === 1
    return `Link ${isOnly ? '' : `${Number(index) + 1} `}de ${title ?? name}`
  }
  return (
    <div className="problems" role="alert">
      {problem && found.length === 0 && <p>{problem}</p>}
      {found.length > 0 && (
        <>
          <p>{messages.form.check}</p>
          <ul>
            {found.map(([field, text]) => (
              <li key={field}>
                <Jump to={field}>
                  {labelOf(field)}: {text}
                </Jump>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

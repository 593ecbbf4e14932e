// What can be seen: every public page, what it loads before it is drawn, what a shared link to it says.
import { applyAsInfluencer, applyAsLeader } from '#contract/applications.ts'
import { campaignPath, peaceCampaign, signCampaign } from '#contract/campaigns.ts'
import { createsContent, signUp } from '#contract/contacts.ts'
import { type EmailLinkAction, emailLinkMessages, emailLinkPaths } from '#contract/email-links.ts'
import type { PathParams } from '#contract/endpoint.ts'
import type { PageRoute, ShareTags } from '#contract/page.ts'
import { deputyCampaign, interestRatePetition, signDeputyPetition, signPetition } from '#contract/petitions.ts'
import { campaignImage } from '#contract/share.ts'
import type { Site } from '#contract/site.ts'
import { activeCampaigns, campaign } from '#web/api/campaigns.ts'
import { contents } from '#web/api/carousel.ts'
import { emailLink } from '#web/api/email-links.ts'
import { type CountQuery, campaignCount, deputyPetitionCount, petitionCount } from '#web/api/petitions.ts'
import type { Query, Store } from '#web/api/store.ts'
import type { PageName } from '#web/pages.ts'

/** A page is its own canonical address unless it says otherwise. */
export type Tags = Omit<ShareTags, 'canonical' | 'hidden'> & Partial<Pick<ShareTags, 'canonical'>>

export interface Route extends PageRoute {
  page: PageName
  /** What the page cannot be drawn without: a failure is answered instead of it. */
  load(params: PathParams): Query[]
  /** What the browser reads by itself if the server could not. */
  loadIfPossible?(params: PathParams): Query[]
  /** The page shows the figures and the form of the community. */
  showsCommunity?: boolean
  /** The page links to profiles in social networks, besides its footer. */
  showsProfiles?: boolean
  /** The one origin that this page may show in a frame. */
  frames?: string
  /** Texts, links and plain forms only: the page is served without scripts. */
  scriptless?: boolean
  /** Why the page is not shown, although all that it needs was read; not asked for its thank-you view. */
  refuses?(store: Store, params: PathParams): { status: number; message: string } | undefined
  tags(store: Store, params: PathParams): Tags
  theme?(store: Store, params: PathParams): string
}

const volunteerForm: NonNullable<Route['form']> = {
  path: signUp.path,
  thanked: (body) => (createsContent((body as { tasks?: unknown } | null)?.tasks) ? 'criadores' : 'todos'),
}

export function routes(site: Site): Route[] {
  const deputySlug = deputyCampaign(site.deputado.slug)
  return [
    {
      path: '/',
      page: 'home/home-page',
      form: volunteerForm,
      load: () => [],
      tags: () => ({ title: `${site.movimento}: faça parte do movimento`, description: site.lema }),
    },
    {
      path: '/peticao',
      page: 'petitions/petition-page',
      form: { path: signPetition.path },
      ...campaignRoute(site, () => interestRatePetition.slug, petitionCount),
    },
    {
      path: `/${site.deputado.slug}-cassado`,
      page: 'petitions/deputy-page',
      form: { path: signDeputyPetition.path },
      ...campaignRoute(site, () => deputySlug, deputyPetitionCount),
    },
    {
      path: `/${peaceCampaign}`,
      page: 'campaigns/campaign-page',
      form: { path: signCampaign.path, params: { slug: peaceCampaign } },
      ...campaignRoute(site, () => peaceCampaign),
    },
    {
      path: '/p/:slug',
      page: 'campaigns/campaign-page',
      form: { path: signCampaign.path },
      ...campaignRoute(site, ({ slug = '' }) => slug),
    },
    {
      path: '/embed/voluntarios',
      page: 'embeds/volunteer-embed-page',
      form: volunteerForm,
      framable: true,
      hidden: true,
      load: () => [],
      tags: () => ({ title: `Faça parte do ${site.movimento}`, description: site.lema, canonical: '/' }),
    },
    {
      path: '/embed/:slug',
      page: 'embeds/petition-embed-page',
      form: { path: signCampaign.path },
      framable: true,
      hidden: true,
      ...campaignRoute(site, ({ slug = '' }) => slug),
    },
    {
      path: '/embed-codes',
      page: 'embeds/embed-codes-page',
      frames: "'self'",
      ...textRoute(site, 'Códigos para o seu site', 'Ponha a petição ou o cadastro de voluntários no seu site.'),
      query: 'campanha',
      loadIfPossible: () => [activeCampaigns],
    },
    {
      path: '/teste-embed',
      page: 'embeds/embed-test-page',
      frames: "'self'",
      ...textRoute(site, 'Teste de incorporação', 'A petição dentro de uma página inventada.', { hidden: true }),
    },
    {
      path: '/influenciadoresCOMLULA',
      page: 'applications/influencer-page',
      form: { path: applyAsInfluencer.path, thanks: '/obrigado-influenciadores' },
      load: () => [],
      tags: () => ({
        title: `Influenciadores | ${site.movimento}`,
        description: 'Inscreva-se na rede de influenciadores do movimento.',
      }),
    },
    {
      path: '/formulario-lideres',
      page: 'applications/leader-page',
      form: { path: applyAsLeader.path },
      load: () => [],
      tags: () => ({
        title: `Formulário de líderes | ${site.movimento}`,
        description: 'Candidate-se para organizar o movimento na sua cidade.',
      }),
    },
    {
      path: '/conteudos-destaque',
      page: 'carousel/contents-page',
      showsProfiles: true,
      ...textRoute(site, 'Conteúdos em destaque', 'Cartazes prontos para baixar e mandar nos seus grupos.'),
      loadIfPossible: () => [contents],
    },
    {
      path: '/comunidade',
      page: 'community/community-page',
      showsCommunity: true,
      frames: new URL(site.comunidade.formulario).origin,
      ...textRoute(site, 'Comunidade', 'Faça parte da comunidade: informação primeiro, gente da sua cidade e voz.'),
    },
    {
      path: '/metodologia',
      page: 'texts/methodology-page',
      scriptless: true,
      ...textRoute(site, 'Metodologia', 'Como nos organizamos, contamos assinaturas e fazemos os conteúdos.'),
    },
    {
      path: '/privacidade',
      page: 'texts/privacy-page',
      scriptless: true,
      ...textRoute(site, 'Privacidade', 'O que guardamos, para quê, por quanto tempo e como pedir para apagar.'),
    },
    {
      path: '/obrigado-influenciadores',
      page: 'applications/influencer-thanks-page',
      ...textRoute(site, 'Obrigado', 'Sua inscrição chegou. Entre no grupo de influenciadores.', { hidden: true }),
    },
    {
      path: emailLinkPaths.confirmar,
      page: 'email-links/confirm-page',
      ...emailLinkRoute(site, 'Confirmar assinatura', 'confirmar'),
    },
    {
      path: emailLinkPaths.remover,
      page: 'email-links/not-me-page',
      ...emailLinkRoute(site, 'Não fui eu', 'remover'),
    },
    {
      path: emailLinkPaths.descadastrar,
      page: 'email-links/unsubscribe-page',
      ...emailLinkRoute(site, 'Sair das novidades', 'descadastrar'),
    },
    {
      path: '/teste-formulario',
      page: 'applications/form-test-page',
      ...textRoute(site, 'Teste do formulário', 'Página de teste do formulário de lideranças.', { hidden: true }),
    },
  ]
}

/** Pages that say the same to everybody. */
function textRoute(
  site: Site,
  title: string,
  description: string,
  more: Pick<Route, 'hidden'> = {},
): Pick<Route, 'load' | 'tags' | 'hidden'> {
  return { load: () => [], tags: () => ({ title: `${title} | ${site.movimento}`, description }), ...more }
}

const confirmedBefore = {
  assinatura: emailLinkMessages.alreadyConfirmed,
  novidades: emailLinkMessages.alreadySubscribed,
  cadastro: emailLinkMessages.alreadyReturned,
}

const usedLink = {
  confirmar: emailLinkMessages.alreadyConfirmed,
  remover: emailLinkMessages.alreadyRemoved,
  descadastrar: emailLinkMessages.alreadySilent,
}

/** Pages that only who got an e-mail can find. Their own address is a secret, which no tag repeats. */
function emailLinkRoute(
  site: Site,
  title: string,
  action: EmailLinkAction,
): Pick<Route, 'form' | 'hidden' | 'scriptless' | 'load' | 'refuses' | 'tags'> {
  return {
    form: { path: `/api${emailLinkPaths[action]}`, inPlace: true },
    hidden: true,
    scriptless: true,
    load: ({ token = '' }) => [emailLink(action, token)],
    refuses(store, { token = '' }) {
      const { usado, tipo } = store.peek(emailLink(action, token))?.data ?? {}
      if (!usado) return undefined
      return { status: 410, message: action === 'confirmar' && tipo ? confirmedBefore[tipo] : usedLink[action] }
    },
    tags: () => ({ title: `${title} | ${site.movimento}`, description: site.lema, canonical: '/' }),
  }
}

/** Pages that show a stored campaign read it, count it, and share what it says. */
function campaignRoute(
  site: Site,
  slugOf: (params: PathParams) => string,
  shownCount?: CountQuery,
): Pick<Route, 'load' | 'tags' | 'theme' | 'campaign'> {
  const stored = (store: Store, params: PathParams) => store.peek(campaign(slugOf(params)))?.data?.campaign
  const countOf = (params: PathParams) => shownCount ?? campaignCount(slugOf(params))
  return {
    campaign: slugOf,
    load: (params) => [campaign(slugOf(params)), countOf(params)],
    tags(store, params) {
      const known = stored(store, params)
      const counted = store.peek(countOf(params))?.data?.count ?? 0
      return {
        title: `${known?.ogTitle ?? known?.titulo ?? 'Petição'} | ${site.movimento}`,
        description: known?.ogDescription ?? known?.subtitulo ?? site.lema,
        // Wherever it is shown, to search engines and in shares it is one page.
        canonical: campaignPath(known?.slug ?? slugOf(params), site.deputado.slug),
        image: known && campaignImage(known, site.movimento, shownCount ? counted : known.baseCount + counted),
      }
    },
    theme: (store, params) => stored(store, params)?.themeColor ?? 'red',
  }
}

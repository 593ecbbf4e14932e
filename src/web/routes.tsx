// All public pages: the route, the data that is loaded before rendering, and the tags for shared links.
import { applyAsInfluencer, applyAsLeader, influencerThanksPath } from '#contract/applications.ts'
import { type Campaign, campaignPath, peaceCampaign, signCampaign } from '#contract/campaigns.ts'
import { createsContent, signUp } from '#contract/contacts.ts'
import { type EmailLinkAction, type EmailLinkProblem, emailLinkPaths } from '#contract/email-links.ts'
import { fillPath, type PathParams } from '#contract/endpoint.ts'
import { newsPaths } from '#contract/news.ts'
import {
  doneParameter,
  eraseOwnData,
  ownDataPath,
  ownDataPaths,
  type RecordKind,
  recordKinds,
  requestOwnData,
  withdrawOwnSignature,
} from '#contract/own-data.ts'
import { correctOwnRecord } from '#contract/own-data-corrections.ts'
import type { PageRoute, ShareTags } from '#contract/page.ts'
import { deputyCampaign, interestRatePetition, signDeputyPetition, signPetition } from '#contract/petitions.ts'
import { campaignImage } from '#contract/share.ts'
import type { Site } from '#contract/site.ts'
import { activeCampaigns, campaign } from '#web/api/campaigns.ts'
import { contents } from '#web/api/contents.ts'
import { emailLink } from '#web/api/email-links.ts'
import { newsItem, newsList } from '#web/api/news.ts'
import { ownData } from '#web/api/own-data.ts'
import { type CountQuery, campaignCount, deputyPetitionCount, petitionCount } from '#web/api/petitions.ts'
import type { Query, Store } from '#web/api/store.ts'
import type { PageName } from '#web/pages.ts'
import type { PageState } from '#web/state.ts'

/** The canonical address defaults to the page's own address. */
type Tags = Omit<ShareTags, 'canonical'> & Partial<Pick<ShareTags, 'canonical'>>

export interface Route extends PageRoute {
  page: PageName
  /** Data without which the page cannot be rendered: if a query fails, the response is that error. */
  load(params: PathParams): Query[]
  /** Optional data: if the server cannot read it, the browser tries again. */
  loadIfPossible?(params: PathParams): Query[]
  /** Optional data of parts that only the server renders. */
  loadStatic?(params: PathParams): Query[]
  /** The page shows the figures and the form of the community. */
  showsCommunity?: boolean
  /** The page links to social network profiles outside its footer. */
  showsProfiles?: boolean
  /** The only origin that this page may show in a frame. */
  frames?: string
  /** Texts, links and plain forms only: the page is served without scripts. */
  scriptless?: boolean
  /** A page without scripts that leads to petitions: a small script passes the origin of the visit on. */
  passesOrigin?: boolean
  /** Why the page of a link is refused although its data was read. Not called for the thank-you view. */
  refuses?(store: Store, params: PathParams): EmailLinkProblem | undefined
  /** Removes from the state of the page what the browser does not need. */
  trim?(state: PageState): PageState
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
      path: newsPaths.list,
      page: 'news/news-page',
      // Leads to the petition.
      passesOrigin: true,
      ...newsRoute(site),
    },
    {
      path: newsPaths.item,
      page: 'news/news-item-page',
      ...newsItemRoute(site),
    },
    {
      path: '/campanhas',
      page: 'campaigns/campaigns-page',
      scriptless: true,
      passesOrigin: true,
      ...textRoute(site, 'Campanhas', 'Veja as campanhas abertas, assine e passe adiante.'),
      load: () => [activeCampaigns],
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
      loadStatic: () => [],
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
      form: { path: applyAsInfluencer.path, thanks: influencerThanksPath },
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
      page: 'contents/contents-page',
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
      path: influencerThanksPath,
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
      ...emailLinkRoute(site, 'Preferências de e-mail', 'descadastrar'),
    },
    {
      path: ownDataPath,
      page: 'own-data/own-data-page',
      form: { path: requestOwnData.path },
      scriptless: true,
      ...textRoute(site, 'Meus dados', 'Veja, corrija, baixe ou apague o que guardamos sobre você.'),
    },
    {
      path: ownDataPaths.opened,
      page: 'own-data/own-data-page',
      query: doneParameter,
      ...ownDataRoute(site),
    },
    ...recordKinds.map(
      (kind: RecordKind): Route => ({
        path: ownDataPaths.correct(kind),
        page: 'own-data/own-data-page',
        form: { path: correctOwnRecord(kind).path, thanks: `${ownDataPaths.opened}?${doneParameter}=corrigido` },
        ...ownDataRoute(site),
      }),
    ),
    {
      path: ownDataPaths.withdraw,
      page: 'own-data/own-data-page',
      form: { path: withdrawOwnSignature.path, thanks: `${ownDataPaths.opened}?${doneParameter}=retirada` },
      ...ownDataRoute(site),
    },
    {
      path: ownDataPaths.erase,
      page: 'own-data/own-data-page',
      form: { path: eraseOwnData.path, thanks: ownDataPaths.erased },
      ...ownDataRoute(site),
    },
    {
      path: ownDataPaths.erased,
      page: 'own-data/own-data-page',
      scriptless: true,
      ...textRoute(site, 'Dados apagados', 'O que estava ligado ao seu e-mail foi apagado.', { hidden: true }),
    },
    {
      path: '/teste-formulario',
      page: 'applications/form-test-page',
      ...textRoute(site, 'Teste do formulário', 'Página de teste do formulário de lideranças.', { hidden: true }),
    },
  ]
}

/** Pages with a fixed title and description. */
function textRoute(
  site: Site,
  title: string,
  description: string,
  more: Pick<Route, 'hidden'> = {},
): Pick<Route, 'load' | 'tags' | 'hidden'> {
  return { load: () => [], tags: () => ({ title: `${title} | ${site.movimento}`, description }), ...more }
}

const alreadyConfirmed = {
  assinatura: 'link-already-confirmed',
  novidades: 'link-already-subscribed',
  cadastro: 'link-already-subscribed',
  volta: 'link-already-returned',
} as const

const alreadyUsed = {
  confirmar: 'link-already-confirmed',
  remover: 'link-already-removed',
  descadastrar: 'link-already-silent',
} as const

/** Pages that are linked only from e-mails. Their address contains a secret, so no tag repeats it. */
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
      return action === 'confirmar' && tipo ? alreadyConfirmed[tipo] : alreadyUsed[action]
    },
    tags: () => ({ title: `${title} | ${site.movimento}`, description: site.lema, canonical: '/' }),
  }
}

/** Pages behind the link to a person's own data. */
function ownDataRoute(site: Site): Pick<Route, 'personal' | 'hidden' | 'scriptless' | 'load' | 'tags'> {
  return {
    personal: true,
    hidden: true,
    scriptless: true,
    load: ({ token = '' }) => [ownData(token)],
    tags: () => ({ title: `Meus dados | ${site.movimento}`, description: site.lema, canonical: '/' }),
  }
}

/** Pages of a stored campaign: load the campaign and its count, and use its texts for shared links. */
function campaignRoute(
  site: Site,
  slugOf: (params: PathParams) => string,
  totalCount?: CountQuery,
): Pick<Route, 'load' | 'loadStatic' | 'trim' | 'tags' | 'theme' | 'campaign'> {
  const stored = (store: Store, params: PathParams) => store.peek(campaign(slugOf(params)))?.data?.campaign
  const countOf = (params: PathParams) => totalCount ?? campaignCount(slugOf(params))
  return {
    campaign: slugOf,
    load: (params) => [campaign(slugOf(params)), countOf(params)],
    loadStatic: (params) => [newsList(slugOf(params))],
    trim: withoutTexts,
    tags(store, params) {
      const found = stored(store, params)
      const counted = store.peek(countOf(params))?.data?.count ?? 0
      return {
        title: `${found?.ogTitle ?? found?.titulo ?? 'Petição'} | ${site.movimento}`,
        description: found?.ogDescription ?? found?.subtitulo ?? site.lema,
        // A campaign can have several pages (its own, embedded); search engines and shared links use one address.
        canonical: campaignPath(found?.slug ?? slugOf(params), site.deputado.slug),
        image: found && campaignImage(found, site, totalCount ? counted : found.baseCount + counted),
      }
    },
    theme: (store, params) => stored(store, params)?.themeColor ?? 'red',
  }
}

type NewsRoute = Pick<Route, 'scriptless' | 'load' | 'loadIfPossible' | 'tags' | 'theme' | 'campaign'>

/** The news of a campaign. While there are none, the page is not for search engines. */
function newsRoute(site: Site): NewsRoute {
  const slugOf = ({ slug = '' }: PathParams) => slug
  const { tags, theme } = campaignRoute(site, slugOf)
  return {
    scriptless: true,
    campaign: slugOf,
    load: (params) => [campaign(slugOf(params)), newsList(slugOf(params))],
    // For the share image.
    loadIfPossible: (params) => [campaignCount(slugOf(params))],
    tags(store, params) {
      const slug = slugOf(params)
      const found = store.peek(campaign(slug))?.data?.campaign
      const news = store.peek(newsList(slug))?.data?.novidades ?? []
      return {
        title: `Novidades: ${found?.titulo} | ${site.movimento}`,
        description: `O que já aconteceu e os próximos passos da campanha “${found?.titulo}”.`,
        canonical: fillPath(newsPaths.list, { slug }),
        image: tags(store, params).image,
        feed: feedOf(slug, found?.titulo),
        ...(news.length === 0 && { hidden: true }),
      }
    },
    ...(theme && { theme }),
  }
}

function newsItemRoute(site: Site): NewsRoute {
  const { load, tags, ...route } = newsRoute(site)
  const itemOf = ({ slug = '', n = '' }: PathParams) => newsItem(slug, n)
  return {
    ...route,
    load: (params) => [...load(params), itemOf(params)],
    tags(store, params) {
      const { feed, image } = tags(store, params)
      const news = store.peek(itemOf(params))?.data?.novidade
      const { titulo = '', resumo = '', publicadaEm = '', alteradaEm = '', imagemCartao } = news ?? {}
      return {
        title: `${titulo} | ${site.movimento}`,
        description: resumo || titulo,
        image: imagemCartao ? { address: imagemCartao, alt: titulo } : image,
        article: { headline: titulo, publishedAt: publicadaEm, modifiedAt: alteradaEm },
        ...(feed && { feed }),
      }
    },
  }
}

const feedOf = (slug: string, titulo = '') => ({
  path: fillPath(newsPaths.feed, { slug }),
  title: `Novidades: ${titulo}`,
})

/** The texts are in the HTML and the tags of the page, which must stay small: neither is rendered by the browser. */
function withoutTexts({ visit, known }: PageState): PageState {
  const { lema, hashtag, grupos, contato, deputado, ...site } = visit.site
  const { whatsapp, mensagem } = contato
  const shown = { ...site, contato: { whatsapp, mensagem }, deputado: { slug: deputado.slug } }
  const replies = Object.entries(known as Record<string, { campaign?: Partial<Campaign> }>).map(([key, reply]) => {
    const { manifestoHtml, resultHtml, ogDescription, ogImageUrl, ...campaign } = reply.campaign ?? {}
    return [key, reply.campaign ? { ...reply, campaign } : reply]
  })
  return { visit: { ...visit, site: shown as typeof visit.site }, known: Object.fromEntries(replies) }
}

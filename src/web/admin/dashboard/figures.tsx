// The figures at the top of the dashboard: signatures of today, of the week and of each campaign, and new people.
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Dashboard, DashboardCampaign, DashboardSignatures } from '#contract/admin/dashboard.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { fillPath } from '#contract/endpoint.ts'
import { WeekChart } from '#web/admin/dashboard/week-chart.tsx'
import { formatNumber, formatPercent, pluralize } from '#web/admin/ui/format-number.ts'
import {
  ConversationIcon,
  EmailIcon,
  type IconComponent,
  InfluencerIcon,
  LeaderIcon,
  NumbersIcon,
  SignatureIcon,
  VolunteerIcon,
} from '#web/admin/ui/icons.tsx'
import { EmptyState } from '#web/admin/ui/query-boundary.tsx'

/** More campaigns are shown on request. */
const shownCampaigns = 4

export function Figures({ signatures, volunteers, unanswered, conversations }: Dashboard) {
  return (
    <dl className="key-figures">
      <Figure icon={SignatureIcon} label="Assinaturas hoje" href={adminPaths.numbers} main>
        {signatures && { value: formatNumber(signatures.today), note: compare(signatures) }}
      </Figure>
      <Figure icon={NumbersIcon} label="Assinaturas em 7 dias" href={adminPaths.numbers}>
        {signatures && { value: formatNumber(signatures.week), note: `${formatNumber(signatures.total)} ao todo` }}
      </Figure>
      <Figure icon={EmailIcon} label="Confirmadas por e-mail" href={adminPaths.numbers}>
        {signatures && {
          value: formatPercent(signatures.confirmed, signatures.total),
          note: `${formatNumber(signatures.confirmed)} de ${formatNumber(signatures.total)}`,
        }}
      </Figure>
      {volunteers !== undefined && (
        <Figure icon={VolunteerIcon} label="Novos voluntários hoje" href={peoplePath('voluntarios')}>
          {volunteers && {
            value: formatNumber(volunteers.today),
            note: `${formatNumber(volunteers.week)} em 7 dias`,
          }}
        </Figure>
      )}
      {unanswered !== undefined && (
        <>
          <Figure icon={LeaderIcon} label="Líderes sem resposta" href={`${peoplePath('lideres')}?status=novo`}>
            {unanswered && { value: formatNumber(unanswered.leaders) }}
          </Figure>
          <Figure
            icon={InfluencerIcon}
            label="Influenciadores sem resposta"
            href={`${peoplePath('influenciadores')}?status=novo`}
          >
            {unanswered && { value: formatNumber(unanswered.influencers) }}
          </Figure>
        </>
      )}
      {conversations !== undefined && (
        <Figure icon={ConversationIcon} label="Conversas hoje" href={adminPaths.conversations}>
          {conversations && { value: formatNumber(conversations.today) }}
        </Figure>
      )}
    </dl>
  )
}

const peoplePath = (tipo: string) => fillPath(adminPaths.peopleOfKind, { tipo })

/** Today is not over, so it is compared with the same hours of yesterday, or of the same weekday if there were none. */
function compare({ today, yesterdayByNow, weekAgoByNow, untilHour }: DashboardSignatures): string {
  const [before, day] = yesterdayByNow > 0 ? [yesterdayByNow, 'ontem'] : [weekAgoByNow, 'na semana passada']
  const hours = `${day} ${untilEndOf(untilHour)}`
  if (before === 0) return `nenhuma ontem ${untilEndOf(untilHour)}`
  if (today === before) return `igual a ${hours}`
  const percent = formatPercent(Math.abs(today - before), before)
  return `${percent} ${today > before ? 'a mais' : 'a menos'} que ${hours} (${formatNumber(before)})`
}

function untilEndOf(hour: number): string {
  if (hour === 23) return 'o dia todo'
  return hour === 0 ? 'até a 1 h' : `até as ${hour + 1} h`
}

interface FigureProps {
  icon: IconComponent
  label: string
  href: string
  /** The most important figure of the page. */
  main?: boolean
  /** Null: it could not be read. */
  children: { value: string; note?: string } | null
}

function Figure({ icon: Icon, label, href, main, children }: FigureProps) {
  return (
    <div className="figure" data-main={main || undefined}>
      <dt>
        <Link to={href}>
          <Icon />
          {label}
        </Link>
      </dt>
      <dd>
        {children ? (
          <strong className="figure-value">{children.value}</strong>
        ) : (
          <span className="badge badge-muted">Sem dados agora</span>
        )}
        {children?.note && <span>{children.note}</span>}
      </dd>
    </div>
  )
}

export function CampaignFigures({ signatures }: Pick<Dashboard, 'signatures'>) {
  const [all, setAll] = useState(false)
  return (
    <section className="campaigns-of-week" aria-labelledby="campanhas-na-semana">
      <h2 id="campanhas-na-semana">Campanhas em 7 dias</h2>
      {signatures === null ? (
        <Unknown>Sem dados agora: as contagens não puderam ser lidas.</Unknown>
      ) : signatures.campaigns.length === 0 ? (
        <EmptyState
          action={
            <Link className="button small" to={adminPaths.newCampaign}>
              Criar uma campanha
            </Link>
          }
        >
          Nenhuma campanha no ar.
        </EmptyState>
      ) : (
        <>
          <ul className="campaign-figures">
            {signatures.campaigns.slice(0, all ? undefined : shownCampaigns).map((campaign) => (
              <CampaignFigure key={campaign.slug} {...campaign} />
            ))}
          </ul>
          {!all && signatures.campaigns.length > shownCampaigns && (
            <button type="button" className="button small" onClick={() => setAll(true)}>
              Mostrar mais {formatNumber(signatures.campaigns.length - shownCampaigns)}
            </button>
          )}
        </>
      )}
    </section>
  )
}

function CampaignFigure({ slug, titulo, isActive, signatures, confirmed, byDay }: DashboardCampaign) {
  const today = byDay.at(-1)?.signatures ?? 0
  const week = byDay.reduce((sum, day) => sum + day.signatures, 0)
  return (
    <li className="campaign-figure panel">
      <h3>
        <Link to={fillPath(adminPaths.campaignNumbers, { slug })}>{titulo}</Link>{' '}
        {!isActive && <span className="badge badge-muted">Fora do ar</span>}
      </h3>
      <p className="campaign-figure-numbers">
        <strong>{formatNumber(today)}</strong> hoje
        <span>{formatNumber(week)} em 7 dias</span>
        <span>
          {pluralize(signatures, 'assinatura', 'assinaturas')}
          {signatures > 0 && `, ${formatPercent(confirmed, signatures)} confirmadas`}
        </span>
      </p>
      <WeekChart days={byDay} />
    </li>
  )
}

const Unknown = ({ children }: { children: ReactNode }) => <p className="notice">{children}</p>

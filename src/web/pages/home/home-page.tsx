import { Layout } from '#web/layout/layout.tsx'
import { CallToAction } from '#web/pages/home/call-to-action.tsx'
import { Hero } from '#web/pages/home/hero.tsx'
import { HomeCampaigns } from '#web/pages/home/home-campaigns.tsx'
import { Reasons } from '#web/pages/home/reasons.tsx'
import { ShareCard } from '#web/pages/home/share-card.tsx'
import { SignUp } from '#web/pages/home/sign-up.tsx'
import { Steps } from '#web/pages/home/steps.tsx'
import { Static } from '#web/ui/static.tsx'
import './home-page.css'
import './hero.css'
import './call-to-action.css'
import './reasons.css'
import './steps.css'
import './home-campaigns.css'
import '#web/ui/campaign-card.css'

export default function HomePage() {
  return (
    <Layout>
      <Static className="home-opening">{RENDERS_STATIC && <Hero />}</Static>
      <SignUp />
      <Static className="home-story">
        {RENDERS_STATIC && (
          <>
            <CallToAction />
            <Reasons />
            <Steps />
            <HomeCampaigns />
          </>
        )}
      </Static>
      <ShareCard />
    </Layout>
  )
}

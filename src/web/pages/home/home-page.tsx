// The home page: what the movement is, how to join it, why, how to help, and how to pass it on.
import { Layout } from '#web/layout/layout.tsx'
import { drawsStatic, Static } from '#web/layout/static.tsx'
import { Call } from '#web/pages/home/call.tsx'
import { Hero } from '#web/pages/home/hero.tsx'
import { Reasons } from '#web/pages/home/reasons.tsx'
import { ShareCard } from '#web/pages/home/share-card.tsx'
import { SignUp } from '#web/pages/home/sign-up.tsx'
import { Steps } from '#web/pages/home/steps.tsx'
import './home-page.css'
import './hero.css'
import './call.css'
import './reasons.css'
import './steps.css'

export default function HomePage() {
  return (
    <Layout>
      <Static className="home-opening">{drawsStatic && <Hero />}</Static>
      <SignUp />
      <Static className="home-story">
        {drawsStatic && (
          <>
            <Call />
            <Reasons />
            <Steps />
          </>
        )}
      </Static>
      <ShareCard />
    </Layout>
  )
}

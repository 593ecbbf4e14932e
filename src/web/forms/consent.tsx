// The sentence under every form's button: what sending it allows, and where that is explained. The version of that text goes with the form.
import type { ReactNode } from 'react'
import { privacyVersion } from '#contract/privacy.ts'
import { useWayOut } from '#web/api/visit.ts'

export function Consent({ children }: { children: ReactNode }) {
  return (
    <p className="consent">
      <input type="hidden" name="versaoConsentimento" value={privacyVersion} />
      {children}{' '}
      <a href="/privacidade" {...useWayOut()}>
        política de privacidade
      </a>
      .
    </p>
  )
}

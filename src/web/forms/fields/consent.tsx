import type { ReactNode } from 'react'
import { privacyVersion } from '#contract/privacy.ts'
import { useOutboundLinkProps } from '#web/api/page-context.ts'

/** Sends the version of the privacy policy that the user accepts. */
export function Consent({ children }: { children: ReactNode }) {
  return (
    <p className="consent">
      <input type="hidden" name="versaoConsentimento" value={privacyVersion} />
      {children}{' '}
      <a href="/privacidade" {...useOutboundLinkProps()}>
        política de privacidade
      </a>
      .
    </p>
  )
}

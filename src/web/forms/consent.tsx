// The sentence under every form's button: what sending it allows, and where that is explained.
import type { ReactNode } from 'react'
import { useWayOut } from '#web/api/visit.ts'

export function Consent({ children }: { children: ReactNode }) {
  return (
    <p className="consent">
      {children}{' '}
      <a href="/privacidade" {...useWayOut()}>
        política de privacidade
      </a>
      .
    </p>
  )
}

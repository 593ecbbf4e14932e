// Imported first, so that the styles of the admin area override these.
import '#web/ui/base.css'
import '#web/admin/ui/base.css'
import { createRoot } from 'react-dom/client'
import { config } from 'zod/mini'
import { Admin } from '#web/admin/admin.tsx'
import { ErrorBoundary } from '#web/admin/ui/error-boundary.tsx'
import { reportErrors } from '#web/api/report-errors.ts'

// Schemas compiled at run time would violate the Content Security Policy of the admin area.
config({ jitless: true })

// Reports only the section of the path: the rest identifies a campaign or a person.
reportErrors(() => /^\/admin(\/[a-z]+)?/.exec(location.pathname)?.[0])

const container = document.getElementById('admin')
if (container)
  createRoot(container, { onCaughtError: reportError }).render(
    <ErrorBoundary>
      <Admin />
    </ErrorBoundary>,
  )

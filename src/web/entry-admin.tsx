// The admin area, drawn in the browser alone.
import { createRoot } from 'react-dom/client'
import { config } from 'zod/mini'
import { Admin } from '#web/admin/admin.tsx'
import { ErrorBoundary } from '#web/admin/ui/error-boundary.tsx'
import { reportErrors } from '#web/api/report-errors.ts'
import '#web/ui/base.css'
import '#web/admin/admin.css'

// Schemas compiled at run time would break the area's policy.
config({ jitless: true })

// Without what follows the section: that names a campaign or a person.
reportErrors(() => /^\/admin(\/[a-z]+)?/.exec(location.pathname)?.[0])

const place = document.getElementById('admin')
if (place)
  createRoot(place, { onCaughtError: reportError }).render(
    <ErrorBoundary>
      <Admin />
    </ErrorBoundary>,
  )

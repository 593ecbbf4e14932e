// The admin area, drawn in the browser alone.
import { createRoot } from 'react-dom/client'
import { config } from 'zod/mini'
import { Admin } from '#web/admin/admin.tsx'
import '#web/ui/base.css'
import '#web/admin/admin.css'

// Schemas compiled at run time would break the area's policy.
config({ jitless: true })

const place = document.getElementById('admin')
if (place) createRoot(place).render(<Admin />)

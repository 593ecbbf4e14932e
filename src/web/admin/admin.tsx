// Root component of the admin area: query cache and router.
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { routes } from '#web/admin/routes.tsx'
import { onSessionEnd } from '#web/admin/session/session.ts'

// Mutation state must be up to date before the next key press. With the default timer of the library, an Esc in
// between could close the dialog in which a generated password was about to be displayed.
notifyManager.setScheduler(queueMicrotask)

const queries = new QueryClient({
  defaultOptions: {
    // Without a network every call fails at once with an error. By default the library would pause it and send it after
    // reconnecting, for example a removal that the user has given up. Reads are fetched again on reconnect.
    queries: {
      staleTime: 10_000,
      retry: false,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})
// The next user of this machine must not see data of the previous session.
onSessionEnd(() => queries.clear())

const router = createBrowserRouter(routes)

export function Admin() {
  // Marks the page as interactive, for scripts and tests that wait for it.
  useEffect(() => {
    document.documentElement.dataset.viva = 'sim'
  }, [])
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}

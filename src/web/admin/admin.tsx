// The area as a whole: what was read from the server, and the page of the address.
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { routes } from '#web/admin/routes.tsx'
import { onLeave } from '#web/admin/session/session.ts'

// What a press has begun is known before the next press: with the library's timer an Esc could slip in between, and
// close the window that a password was about to be shown in.
notifyManager.setScheduler(queueMicrotask)

const queries = new QueryClient({
  defaultOptions: {
    // Without a network everything fails at once and says so. The library would let it wait instead: a removal that somebody
    // thought better of would be done once the network is back. What is only read comes then by itself.
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
// The next to enter on this machine finds nothing of the one before.
onLeave(() => queries.clear())

const router = createBrowserRouter(routes)

export function Admin() {
  // Says that the page answers by itself now, to whoever waits for it.
  useEffect(() => {
    document.documentElement.dataset.viva = 'sim'
  }, [])
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}

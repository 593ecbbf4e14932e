// Passes the origin of a visit on to the links of a page that loads no other scripts. It imports nothing, so that it
// stays small; the next page normalizes the value.
const query = new URLSearchParams(location.search)
const origin = query.get('de') ?? query.get('utm_source')
if (origin)
  for (const link of document.links)
    if (link.origin === location.origin && link.pathname !== location.pathname && !link.search)
      link.search = `de=${encodeURIComponent(origin)}`

export {}

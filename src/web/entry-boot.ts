// Loads the page's scripts when the browser is idle or, on slow or metered connections, at the first interaction.
// Until then the page consists of links and plain forms, which work without scripts.
interface Connection {
  saveData?: boolean
  effectiveType?: string
}

const interactions = ['pointerdown', 'keydown', 'focusin'] as const
const loadTriggers = [...interactions, 'online'] as const
const idleTimeoutMs = 2_000
let preloaded = false

async function load(): Promise<void> {
  for (const type of loadTriggers) removeEventListener(type, load, true)
  const { entrada, antes = '' } = document.querySelector<HTMLElement>('script[data-entrada]')?.dataset ?? {}
  if (!entrada) return
  // Preloads all files at once. Otherwise the browser finds an imported script only after loading the importing one.
  for (const file of preloaded ? [] : antes.split(' ').filter(Boolean)) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  }
  preloaded = true
  try {
    const { hydratePage } = (await import(/* @vite-ignore */ entrada)) as typeof import('#web/entry-browser.tsx')
    await hydratePage()
  } catch {
    // The network failed while loading: tries again at the next interaction or when the network is back.
    // Only newer browsers request a failed module again. In the others the page stays without scripts, and still works.
    for (const type of loadTriggers) addEventListener(type, load, true)
  }
}

function scheduleLoad(): void {
  const { saveData = false, effectiveType = '4g' } = (navigator as { connection?: Connection }).connection ?? {}
  if (saveData || /2g|3g/.test(effectiveType)) for (const type of interactions) addEventListener(type, load, true)
  else if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: idleTimeoutMs })
  else setTimeout(load, 200)
}

// In an older browser the scripts would fail at some point, perhaps after they have taken over the form.
// The page without scripts works there.
if ('at' in Array.prototype) scheduleLoad()

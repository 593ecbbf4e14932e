// Decides when the page's scripts are worth their bytes: when the phone has nothing better to do, and where data is dear only at
// the first touch. Until then the page is links and plain forms, which work by themselves.
interface Connection {
  saveData?: boolean
  effectiveType?: string
}

const touches = ['pointerdown', 'keydown', 'focusin'] as const
const signs = [...touches, 'online'] as const
const patienceMs = 2_000
let announced = false

async function load(): Promise<void> {
  for (const type of signs) removeEventListener(type, load, true)
  const { entrada, antes = '' } = document.querySelector<HTMLElement>('script[data-entrada]')?.dataset ?? {}
  if (!entrada) return
  // All at once: a script that is found only inside another one would wait for it.
  for (const file of announced ? [] : antes.split(' ').filter(Boolean)) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  }
  announced = true
  try {
    const { takeOver } = (await import(/* @vite-ignore */ entrada)) as typeof import('#web/entry-browser.tsx')
    await takeOver()
  } catch {
    // The network went away in the middle: again at the next touch, or when it is back. Only newer browsers ask again for a module
    // that failed; with the others the page stays the plain one, which works.
    for (const type of signs) addEventListener(type, load, true)
  }
}

function awaitTheMoment(): void {
  const { saveData = false, effectiveType = '4g' } = (navigator as { connection?: Connection }).connection ?? {}
  if (saveData || /2g|3g/.test(effectiveType)) for (const type of touches) addEventListener(type, load, true)
  else if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: patienceMs })
  else setTimeout(load, 200)
}

// An older browser would stumble somewhere in the scripts, perhaps after they took the form over: what it has works.
if ('at' in Array.prototype) awaitTheMoment()

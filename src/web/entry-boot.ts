// Decides when the page's scripts are worth their bytes: when the phone has nothing better to do, and where data is dear only at
// the first touch. Until then the page is links and plain forms, which work by themselves.
interface Connection {
  saveData?: boolean
  effectiveType?: string
}

const touches = ['pointerdown', 'keydown', 'focusin'] as const
const patienceMs = 2_000

function load(): void {
  for (const type of touches) removeEventListener(type, load, true)
  const { entrada, antes = '' } = document.querySelector<HTMLElement>('script[data-entrada]')?.dataset ?? {}
  if (!entrada) return
  // All at once: a script that is found only inside another one would wait for it.
  for (const file of antes.split(' ').filter(Boolean)) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  }
  void import(/* @vite-ignore */ entrada)
}

const { saveData = false, effectiveType = '4g' } = (navigator as { connection?: Connection }).connection ?? {}

if (saveData || /2g|3g/.test(effectiveType)) for (const type of touches) addEventListener(type, load, true)
else if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: patienceMs })
else setTimeout(load, 200)

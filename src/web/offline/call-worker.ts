// Brings the worker in, and asks it to send what is kept once the network is back, also when the page is gone by then.
import { trustedScriptUrl } from '#web/ui/trusted.ts'

interface SyncManager {
  register(tag: string): Promise<void>
}

/** Refused by browsers without it, in private windows and outside https: everything else works without the worker. */
export async function callWorker(): Promise<void> {
  await navigator.serviceWorker?.register(trustedScriptUrl('/sw.js')).catch(() => {})
}

/** Whether the browser promises to send by itself. */
export async function sendLater(): Promise<boolean> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    const { sync } = (registration ?? {}) as { sync?: SyncManager }
    await sync?.register('assinaturas')
    return sync !== undefined
  } catch {
    return false
  }
}

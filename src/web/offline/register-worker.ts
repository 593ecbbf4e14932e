import { trustedScriptUrl } from '#web/ui/trusted-types.ts'

interface SyncManager {
  register(tag: string): Promise<void>
}

/** Fails in old browsers, in private windows and without https. Everything else works without the worker. */
export async function registerWorker(): Promise<void> {
  await navigator.serviceWorker?.register(trustedScriptUrl('/sw.js')).catch(() => {})
}

/**
 * Asks the browser to start the worker once the network is back, even if the page is closed by then.
 * The worker sends the kept signatures. Returns whether the browser supports this.
 */
export async function requestBackgroundSync(): Promise<boolean> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    const { sync } = (registration ?? {}) as { sync?: SyncManager }
    await sync?.register('assinaturas')
    return sync !== undefined
  } catch {
    return false
  }
}

// localStorage and sessionStorage of the admin area, with a fallback to memory where the browser refuses them.
interface KeyValueStore {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

/**
 * Keeps values in memory, until the tab is closed, when the storage is full or blocked.
 * `storage` is a function because a browser that blocks storage throws on access to the global.
 */
function withMemoryFallback(storage: () => Storage): KeyValueStore {
  const memory = new Map<string, string>()
  return {
    getItem(name) {
      try {
        return memory.get(name) ?? storage().getItem(name)
      } catch {
        return null
      }
    },
    setItem(name, value) {
      memory.delete(name)
      try {
        storage().setItem(name, value)
      } catch {
        memory.set(name, value)
      }
    },
    removeItem(name) {
      memory.delete(name)
      try {
        storage().removeItem(name)
      } catch {
        // Storage is blocked, so nothing was stored there.
      }
    },
  }
}

export const localStore = withMemoryFallback(() => localStorage)
export const sessionStore = withMemoryFallback(() => sessionStorage)

// What the browser keeps for the area. Where it refuses to, or is full, memory does it instead, for as long as the tab is open.
interface Keeper {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

/** A browser that refuses throws already when its storage is named. */
function orMemory(storage: () => Storage): Keeper {
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
        // Nothing was kept there.
      }
    },
  }
}

export const forEveryTab = orMemory(() => localStorage)
export const forThisTab = orMemory(() => sessionStorage)

// Repeats calls that the server refused because the last login is too long ago, after the user has confirmed it.
import { onSessionEnd } from '#web/admin/session/session.ts'
import { ApiFailure } from '#web/api/client.ts'

type Listener = () => void

const listeners = new Set<Listener>()
/** Ends the question that is on the screen. All refused calls wait for the same one. */
let finish: ((confirmed: boolean) => void) | undefined
let question: Promise<boolean> | undefined

export async function withRecentLogin<Reply>(send: () => Promise<Reply>): Promise<Reply> {
  try {
    return await send()
  } catch (error) {
    const isRefused = error instanceof ApiFailure && error.refusal.code === 'recent-login-required'
    if (!isRefused || !(await ask())) throw error
    return send()
  }
}

function ask(): Promise<boolean> {
  question ??= new Promise((resolve) => {
    finish = resolve
    notify()
  })
  return question
}

export function answerRecentLogin(confirmed: boolean): void {
  finish?.(confirmed)
  finish = undefined
  question = undefined
  notify()
}

function notify(): void {
  for (const listener of [...listeners]) listener()
}

export function onRecentLoginChange(listener: Listener): Listener {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const isRecentLoginAsked = () => finish !== undefined

// The call belongs to a session that has ended.
onSessionEnd(() => answerRecentLogin(false))

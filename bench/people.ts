// The fictional people who sign: distributed over the states like the population, with e-mail addresses in random
// order.
import { type StateCode, stateCodes } from '#contract/states.ts'

// Inhabitants in hundreds of thousands (census of 2022): signatures are counted by state.
const inhabitants: Record<StateCode, number> = {
  ...{ AC: 8, AL: 31, AM: 39, AP: 7, BA: 141, CE: 88, DF: 28, ES: 38, GO: 71, MA: 68, MG: 205, MS: 28, MT: 37, PA: 81 },
  ...{ PB: 40, PE: 91, PI: 33, PR: 114, RJ: 161, RN: 33, RO: 16, RR: 6, RS: 109, SC: 76, SE: 22, SP: 444, TO: 15 },
}
const weightedStates = stateCodes.flatMap((code) => Array<StateCode>(inhabitants[code]).fill(code))
/** A step without a common divisor with the length visits every entry once before it repeats. */
const stateStep = 997

/**
 * An odd factor maps each number below 2³² to a different one: consecutive signatures are not neighbours in the
 * index.
 */
export const hashMultiplier = 2_654_435_761
const hashOf = (n: number) => (Math.imul(n, hashMultiplier) >>> 0).toString(16).padStart(8, '0')

export interface Signing {
  body: string
  requestId?: string
}

function signature(n: number): string {
  return JSON.stringify({
    nome: `Fulano de Tal ${n}`,
    email: `fulano-${hashOf(n)}@example.org`,
    whatsapp: '(00) 00000-0000',
    cidade: 'Cidade Exemplo',
    estado: weightedStates[(n * stateStep) % weightedStates.length],
    redesSociais: '@fulano',
    ...(n % 3 === 0 && { origem: 'radio-comunitaria' }),
    aceitaNovidades: n % 2 === 0,
    honeypot: '',
  })
}

const requestIdOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

let people = 0

/** Number of different people who have signed so far, in all jobs. */
export const peopleSoFar = () => people

/** Every person signs once. */
export function newPeople(): () => Signing {
  return () => ({ body: signature(people++) })
}

/** One request of eight is a second signature of a person; one of eight repeats a request, as after a lost response. */
export function peopleAndRepeats(): () => Signing {
  const first = people
  let sent = 0
  return () => {
    const position = sent++ % 8
    if (position === 3) return { body: signature(Math.max(first, people - 200)), requestId: crypto.randomUUID() }
    const n = position === 7 ? people - 1 : people++
    return { body: signature(n), requestId: requestIdOf(n) }
  }
}

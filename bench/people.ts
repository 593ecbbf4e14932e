// Who signs in the benchmark: fictional people, at home where people live, with addresses in no order.
import { type StateCode, stateCodes } from '#contract/states.ts'

// Hundred thousands of inhabitants (census of 2022): the ledger is written by state.
const inhabitants: Record<StateCode, number> = {
  ...{ AC: 8, AL: 31, AM: 39, AP: 7, BA: 141, CE: 88, DF: 28, ES: 38, GO: 71, MA: 68, MG: 205, MS: 28, MT: 37, PA: 81 },
  ...{ PB: 40, PE: 91, PI: 33, PR: 114, RJ: 161, RN: 33, RO: 16, RR: 6, RS: 109, SC: 76, SE: 22, SP: 444, TO: 15 },
}
const homes = stateCodes.flatMap((code) => Array<StateCode>(inhabitants[code]).fill(code))
/** Steps that share no divisor with the length visit every home once before they come round. */
const homeStep = 997

/** An odd factor gives each number below 2³² another place: neighbours in time are no neighbours in the index. */
export const scattering = 2_654_435_761
const scattered = (n: number) => (Math.imul(n, scattering) >>> 0).toString(16).padStart(8, '0')

export interface Signing {
  body: string
  requestId?: string
}

function signature(n: number): string {
  return JSON.stringify({
    nome: `Fulano de Tal ${n}`,
    email: `fulano-${scattered(n)}@example.org`,
    whatsapp: '(00) 00000-0000',
    cidade: 'Cidade Exemplo',
    estado: homes[(n * homeStep) % homes.length],
    redesSociais: '@fulano',
    aceitaNovidades: n % 2 === 0,
    honeypot: '',
  })
}

const requestIdOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

let people = 0

/** How many different people have signed so far, all crowds together. */
export const peopleSoFar = () => people

/** Everybody signs once. */
export function newPeople(): () => Signing {
  return () => ({ body: signature(people++) })
}

/** One in eight signs again after a while; of one in eight the same request comes twice, as after a lost answer. */
export function peopleAndRepeats(): () => Signing {
  const first = people
  let sent = 0
  return () => {
    const turn = sent++ % 8
    if (turn === 3) return { body: signature(Math.max(first, people - 200)), requestId: crypto.randomUUID() }
    const n = turn === 7 ? people - 1 : people++
    return { body: signature(n), requestId: requestIdOf(n) }
  }
}

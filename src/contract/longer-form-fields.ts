// Fields of the longer forms: sign-ups, applications and the admin area.
import * as z from 'zod/mini'
import { isAdult } from '#contract/age.ts'
import { invisible, normalizeAndCheck, type TextRule, unstorable } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** Error messages of fields that only these forms have. */
export const longerFormMessages = {
  whatsappVoluntario: 'WhatsApp deve ter pelo menos 10 dígitos',
  whatsappMinimo: 'Número deve ter pelo menos 10 dígitos',
  whatsappMaximo: 'Número deve ter no máximo 11 dígitos',
  whatsappNumeros: 'Apenas números são permitidos',
  tarefa: 'Selecione pelo menos uma tarefa',
  opcao: 'Selecione pelo menos uma opção',
  cidadeMinima: 'Cidade deve ter pelo menos 2 caracteres',
  redesSociais: 'Informe pelo menos uma rede social',
  nomeLider: 'Nome deve ter pelo menos 2 caracteres',
  cpf: 'CPF deve ter 11 dígitos',
  nascimento: 'Informe sua data de nascimento',
  menorDeIdade: 'Obrigado pelo interesse! Para ser líder é preciso ter 18 anos ou mais',
  genero: 'Escolha uma opção de gênero',
  profissao: 'Informe sua profissão',
  endereco: 'Endereço deve ter pelo menos 5 caracteres',
  cep: 'CEP deve ter 8 dígitos',
  motivacao: 'Conte sua motivação em pelo menos 10 caracteres',
  termos: 'Você deve aceitar os termos',
} as const

/** Ten or eleven digits. The form removes other characters before it sends. */
export function brazilianPhone({ short, long }: { short: string; long: string }) {
  return z
    .string(short)
    .check(
      z.trim(),
      z.maxLength(40, { error: long, abort: true }),
      z.regex(/^\d*$/, { error: longerFormMessages.whatsappNumeros, abort: true }),
      z.minLength(10, short),
      z.maxLength(11, long),
    )
}

/** At least one option, without duplicates. An HTML form sends one choice as a string, several as an array. */
export function choices<const Option extends string>(options: readonly Option[], none: string) {
  return z.pipe(
    z.transform((value: unknown) => [...new Set([value ?? []].flat())]),
    z.array(z.enum(options as readonly [Option, ...Option[]], none), none).check(z.minLength(1, none)),
  )
}

/** Text of several lines. */
export function text({ min = 0, max, short, long }: TextRule) {
  return z.string(short).check(
    normalizeAndCheck(
      (value) => (value.length > max * 2 ? value : value.replace(/\r\n?/g, '\n').replace(invisible, '').trim()),
      (value) => {
        if (value.length > max) return long
        if (unstorable.test(value.replace(/[\n\t]/g, ' '))) return messages.fields.caracteres
        return value.length < min ? short : undefined
      },
      { minimum: min, maximum: max },
    ),
  )
}

export function optionalText(rule: Pick<TextRule, 'max' | 'long'>) {
  return z.pipe(
    z.nullish(text({ ...rule, short: messages.fields.caracteres })),
    z.transform((value) => value || null),
  )
}

/** An existing date in the past, as `YYYY-MM-DD`. */
function pastDate(message: string) {
  return z.string(message).check(
    z.regex(/^(19|20)\d\d-\d\d-\d\d$/, { error: message, abort: true }),
    z.refine(
      (day) => {
        const time = Date.parse(`${day}T00:00:00Z`)
        return time < Date.now() && new Date(time).toISOString().startsWith(day)
      },
      { error: message, abort: true },
    ),
  )
}

/** A past date, at least 18 years ago. */
export function adultBirthDate({ invalid, minor }: { invalid: string; minor: string }) {
  return pastDate(invalid).check(z.refine((day) => isAdult(day, new Date()), minor))
}

// Position and reason of a JSON error, in Portuguese. `JSON.parse` reports in English and often without a position.
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'

interface JsonProblem {
  line: number
  column: number
  reason: string
}

/** For a text that `JSON.parse` rejects. */
export function findJsonProblem(text: string): JsonProblem {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  const [{ error, offset } = { error: undefined, offset: 0 }] = errors
  const before = text.slice(0, offset).split(/\r\n|\n|\r/)
  return {
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
    reason: reasonFor(error && printParseErrorCode(error), text, offset),
  }
}

function reasonFor(code: string | undefined, text: string, offset: number): string {
  const next = text[offset] ?? ''
  if (text.trim() === '') return 'o arquivo está vazio'
  if (text.slice(offset).trim() === '') return 'o arquivo acaba antes do fim'
  if ("“”„‘’'".includes(next)) return 'use aspas duplas retas (")'
  if (next === '#') return 'comentários não são aceitos'
  switch (code) {
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment':
      return 'comentários não são aceitos'
    case 'PropertyNameExpected':
    case 'ValueExpected':
      return '}]'.includes(next) ? `há uma vírgula sobrando antes de ${next}` : 'falta uma chave ou um valor'
    case 'ColonExpected':
      return 'faltam dois-pontos (:) entre a chave e o valor'
    case 'CommaExpected':
      return 'falta uma vírgula antes daqui'
    case 'EndOfFileExpected':
      return 'há texto depois do fim'
    case 'UnexpectedEndOfString':
      return 'as aspas abertas aqui não foram fechadas na mesma linha'
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
    case 'InvalidCharacter':
      return 'este texto tem um caractere que não é aceito: no lugar de \\ escreva \\\\'
    default:
      return 'isto não foi entendido: chaves e textos ficam entre aspas duplas'
  }
}

// Where a JSON text is wrong, and why, in Portuguese. `JSON.parse` tells neither reliably.

export interface JsonProblem {
  line: number
  column: number
  reason: string
}

const string = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\u007f-\u009f])*"/uy
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const space = /[ \t\r\n]*/y

class ProblemAt extends Error {
  readonly offset: number
  constructor(offset: number, reason: string) {
    super(reason)
    this.offset = offset
  }
}

/** Undefined for a text that is valid JSON. */
export function findJsonProblem(text: string): JsonProblem | undefined {
  try {
    new Scanner(text).scanDocument()
    return undefined
  } catch (error) {
    if (!(error instanceof ProblemAt)) throw error
    const { line, column } = positionOf(text, error.offset)
    return { line, column, reason: error.message }
  }
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/)
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

class Scanner {
  private at = 0
  private readonly text: string
  constructor(text: string) {
    this.text = text
  }

  scanDocument(): void {
    this.skip(space)
    if (this.at === this.text.length) throw new ProblemAt(0, 'o arquivo está vazio')
    this.scanValue()
    this.skip(space)
    if (this.at < this.text.length) throw new ProblemAt(this.at, 'há texto depois do fim')
  }

  private scanValue(): void {
    const next = this.next()
    if (next === '{') this.scanList('}', () => this.scanEntry())
    else if (next === '[') this.scanList(']', () => this.scanValue())
    else if (next === '"') this.scanString()
    else if (next === undefined) throw this.truncated()
    else if (!this.skip(scalar))
      throw new ProblemAt(this.at, this.whyNoValue('o valor não foi entendido: textos ficam entre aspas duplas'))
  }

  private scanEntry(): void {
    if (this.next() !== '"') {
      if (this.next() === undefined) throw this.truncated()
      throw new ProblemAt(this.at, this.whyNoValue('o nome da chave precisa ficar entre aspas duplas'))
    }
    this.scanString()
    this.skip(space)
    if (this.next() === undefined) throw this.truncated()
    if (this.next() !== ':') throw new ProblemAt(this.at, 'faltam dois-pontos (:) entre a chave e o valor')
    this.at += 1
    this.skip(space)
    this.scanValue()
  }

  private scanList(end: '}' | ']', scanItem: () => void): void {
    const start = this.at
    this.at += 1
    this.skip(space)
    if (this.next() === end) {
      this.at += 1
      return
    }
    for (;;) {
      scanItem()
      const itemEnd = this.at
      this.skip(space)
      if (this.next() === end) {
        this.at += 1
        return
      }
      if (this.next() === undefined) {
        const { line } = positionOf(this.text, start)
        throw new ProblemAt(itemEnd, `o arquivo acaba sem fechar ${this.text[start]} da linha ${line}: falta ${end}`)
      }
      if (this.next() !== ',') throw new ProblemAt(itemEnd, this.whyNoValue('falta uma vírgula depois deste valor'))
      const comma = this.at
      this.at += 1
      this.skip(space)
      if (this.next() === end) throw new ProblemAt(comma, `há uma vírgula sobrando antes de ${end}`)
    }
  }

  private scanString(): void {
    if (this.skip(string)) return
    const [line = ''] = this.text.slice(this.at).split(/[\r\n]/, 1)
    const isClosed = /^"(?:[^"\\]|\\.)*"/.test(line)
    throw new ProblemAt(
      this.at,
      isClosed
        ? 'este texto tem um caractere que não é aceito: no lugar de \\ escreva \\\\'
        : 'as aspas abertas aqui não foram fechadas na mesma linha',
    )
  }

  private whyNoValue(otherwise: string): string {
    const next = this.next() ?? ''
    if ("“”„‘’'".includes(next)) return 'use aspas duplas retas (")'
    if (next === '/' || next === '#') return 'comentários não são aceitos'
    if (next === ',') return 'há uma vírgula a mais'
    return otherwise
  }

  private truncated(): ProblemAt {
    return new ProblemAt(this.text.trimEnd().length, 'o arquivo acaba antes do fim')
  }

  private next(): string | undefined {
    return this.text[this.at]
  }

  /** Moves behind what matches here; false if nothing does. */
  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    const [match = ''] = pattern.exec(this.text) ?? []
    this.at += match.length
    return match !== ''
  }
}

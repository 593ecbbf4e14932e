// CPF, the Brazilian taxpayer number: nine digits and two check digits.
export function digitsOf(cpf: string): string {
  return cpf.replace(/\D/g, '')
}

export function checkDigitsAreRight(cpf: string): boolean {
  const digits = digitsOf(cpf)
  // Eleven equal digits pass the check, but no such CPF was ever issued.
  if (digits.length !== 11 || /^(\d)\1*$/.test(digits)) return false
  const first = checkDigit(digits.slice(0, 9))
  return digits.endsWith(`${first}${checkDigit(digits.slice(0, 9) + first)}`)
}

function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length + 1 - index), 0)
  return ((sum * 10) % 11) % 10
}

/** •••.456.789-•• */
export function maskCpf(cpf: string | null): string {
  const [, middle] = /^\d{3}(\d{6})\d{2}$/.exec(digitsOf(cpf ?? '')) ?? []
  return middle ? `•••.${middle.slice(0, 3)}.${middle.slice(3)}-••` : '•••.•••.•••-••'
}

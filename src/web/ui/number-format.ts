/** One formatter for all numbers of a page: creating it is slow. */
export const numberFormat = new Intl.NumberFormat('pt-BR')

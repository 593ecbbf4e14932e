/** One formatter for all numbers of a page: creating it is slow. */
export const numberFormat = /* @__PURE__ */ new Intl.NumberFormat('pt-BR')

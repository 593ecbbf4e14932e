/** Both ends are exclusive. */
export interface Range {
  above?: string | undefined
  below?: string | undefined
}

/** Collects the values of a statement; each gets the next parameter number. */
export function createStatement() {
  const values: unknown[] = []
  const value = (parameter: unknown) => `$${values.push(parameter)}`
  return {
    values,
    value,
    within: (id: string, { above, below }: Range) => [
      ...(above ? [`${id} > ${value(above)}`] : []),
      ...(below ? [`${id} < ${value(below)}`] : []),
    ],
    matches: (searchVector: string, query: string) => `${searchVector} @@ ${value(query)}::tsquery`,
  }
}
export type Statement = ReturnType<typeof createStatement>

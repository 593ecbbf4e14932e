// Rows of the outbox that one statement takes and replaces by others.

/** The CTE `taken`: rows that are due, gone, and what was in them; rows that another node works on are left to it. */
export const taken = (tipo: string, most: number) => `
taken as (
  delete from outbox where id in (
    select id from outbox where tipo = '${tipo}' and not parada and proxima <= now()
    order by proxima, id limit ${most} for update skip locked)
  returning dados)`

export const countTaken = 'select count(*)::int as n from taken'

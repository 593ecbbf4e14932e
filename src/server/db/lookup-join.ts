/**
 * Joins a table by looking up each row by its id. The tables grow faster than the statistics of PostgreSQL: the planner
 * treats a table that was small a minute ago as still small, and would read all of it for every join.
 */
export const lookupJoin = (table: string, id: string, alias = table) =>
  `lateral (select * from ${table} where id = ${id} offset 0) as ${alias}`

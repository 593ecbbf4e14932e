// Joins to tables that grow faster than PostgreSQL takes their measure.

/**
 * A table for a join in which each row is looked up by its id. Left to itself the planner takes a table that was small a minute ago for
 * small still, and reads all of it for every join.
 */
export const oneByOne = (table: string, id: string) =>
  `lateral (select * from ${table} where id = ${id} offset 0) as ${table}`

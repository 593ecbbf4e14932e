// The record of what administrators did: written with every deed, never changed.
import type { Database } from '#server/db/database.ts'
import { adminActions } from '#server/db/schema.ts'
import type { RecordDeed } from '#server/http/mount.ts'

export interface Deeds {
  record: RecordDeed
}

export function createDeeds({ orm }: Database): Deeds {
  return {
    async record({ administrator, deed, subject }) {
      const { username } = administrator
      await orm.insert(adminActions).values({ username, acao: deed, alvo: subject })
    },
  }
}

// Applications of influencers and leaders. The reserved data of leaders is encrypted before it is stored.
import type { InfluencerApplication, LeaderApplication } from '#contract/applications.ts'
import { applicationMessages } from '#contract/applications.ts'
import type { Encryption } from '#server/core/encryption.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { encryptReserved } from '#server/db/reserved-data.ts'
import { influenciadores, lideres } from '#server/db/schema.ts'
import { newSubmission, type Submissions } from '#server/db/submissions.ts'

export function createApplications(submissions: Submissions, encryption: Encryption | undefined, log: Log) {
  if (!encryption) log.warn({}, 'DATA_KEY is not set: the leaders’ form is closed')

  function requireEncryption() {
    if (!encryption) throw new AppError('unavailable', applicationMessages.leader.closed)
    return encryption
  }

  return {
    recordInfluencer(application: InfluencerApplication, requestId: string): Promise<void> {
      const row = { ...application, ...newSubmission(application.email, requestId) }
      return submissions.record('influenciador', row, (orm) => orm.insert(influenciadores).values(row))
    },
    async recordLeader(application: LeaderApplication, requestId: string): Promise<void> {
      const encryption = requireEncryption()
      const { cpf, nascimento, endereco, cep, ...fields } = application
      const submission = newSubmission(application.email, requestId)
      const row = {
        ...fields,
        ...submission,
        ...encryptReserved(encryption, submission.id, { cpf, nascimento, endereco, cep }),
      }
      await submissions.record('lider', row, (orm) => orm.insert(lideres).values(row))
    },
    /** Throws while no encryption key is configured. */
    requireLeaderForm: (): void => void requireEncryption(),
  }
}

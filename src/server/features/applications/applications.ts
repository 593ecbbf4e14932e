// Applications of influencers and leaders. A leader's CPF is encrypted before it is stored.
import type { InfluencerApplication, LeaderApplication } from '#contract/applications.ts'
import { applicationMessages } from '#contract/applications.ts'
import { checkDigitsAreRight, digitsOf } from '#contract/cpf.ts'
import type { Config } from '#server/core/config.ts'
import { createEncryption } from '#server/core/encryption.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { influenciadores, lideres } from '#server/db/schema.ts'
import { newSubmission, type Submissions } from '#server/db/submissions.ts'

export function createApplications(submissions: Submissions, { dataKey }: Pick<Config, 'dataKey'>, log: Log) {
  if (!dataKey) log.warn({}, 'DATA_KEY is not set: the leaders’ form is closed')
  const encryption = dataKey ? createEncryption(dataKey) : undefined

  function requireEncryption() {
    if (!encryption) throw new AppError('unavailable', applicationMessages.leader.closed)
    return encryption
  }

  return {
    recordInfluencer(application: InfluencerApplication, requestId: string): Promise<void> {
      const row = { ...application, ...newSubmission(application.email, requestId) }
      return submissions.record('influenciador', row, (orm) => orm.insert(influenciadores).values(row))
    },
    async recordLeader({ cpf, ...application }: LeaderApplication, requestId: string): Promise<void> {
      const { encrypt, indexOf } = requireEncryption()
      const submission = newSubmission(application.email, requestId)
      const row = {
        ...application,
        ...submission,
        encryptedCpf: encrypt(cpf, submission.id),
        cpfDigest: indexOf(digitsOf(cpf)),
        cpfConfere: checkDigitsAreRight(cpf),
      }
      await submissions.record('lider', row, (orm) => orm.insert(lideres).values(row))
    },
    /** Throws while no encryption key is configured. */
    requireLeaderForm: (): void => void requireEncryption(),
  }
}

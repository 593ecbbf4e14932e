// The size of the tests: short for `npm test`, full for `npm run chaos`, which reaches the promised totals.
const short = {
  serverKills: 3,
  powerCuts: 10,
  upgradedRows: 20_000,
  mailKills: 3,
  newsKills: 3,
  newsRecipients: 200,
  sheetKills: 1,
  sheetRecords: 1_200,
  nodeKills: 2,
  /** Minimum number of signatures between two failures. */
  signedBetween: 100,
  databaseCrashes: 3,
  terminations: 8,
  stops: 3,
  promotions: 1,
  diskFillings: 1,
  diskFullMs: 2_000,
  lockMs: 2_000,
  slowClients: 200,
  slowReaders: 200,
  fuzzedRequests: 3_000,
  testTimeoutMs: 180_000,
}

const full: typeof short = {
  serverKills: 30,
  powerCuts: 250,
  upgradedRows: 5_000_000,
  mailKills: 30,
  newsKills: 10,
  newsRecipients: 3_000,
  sheetKills: 6,
  sheetRecords: 10_000,
  nodeKills: 20,
  signedBetween: 700,
  databaseCrashes: 20,
  terminations: 60,
  stops: 20,
  promotions: 3,
  diskFillings: 3,
  diskFullMs: 10_000,
  lockMs: 10_000,
  slowClients: 2_000,
  slowReaders: 800,
  fuzzedRequests: Number(process.env.FUZZ_REQUESTS ?? 100_000),
  testTimeoutMs: 900_000,
}

export const isFull = process.env.CHAOS === 'full'
export const size = isFull ? full : short

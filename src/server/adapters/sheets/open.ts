// Which spreadsheet the settings name: Google's, or files in the data folder.
import { join } from 'node:path'
import { openCsvSpreadsheet } from '#server/adapters/sheets/csv.ts'
import { openGoogleSpreadsheet } from '#server/adapters/sheets/google.ts'
import type { BeforeWrite, Spreadsheet } from '#server/adapters/sheets/spreadsheet.ts'
import type { Config } from '#server/core/config.ts'

export type SheetSettings = Pick<Config, 'dataDir' | 'googleSheetsId' | 'googleServiceAccount' | 'googleSheetsUrl'>

export interface SheetHooks {
  beforeWrite: BeforeWrite
  leaving(): AbortSignal
}

export function openSpreadsheet(settings: SheetSettings, hooks: SheetHooks): Spreadsheet {
  const { googleSheetsId: id, googleServiceAccount: accountFile, googleSheetsUrl: url, dataDir } = settings
  if (id && accountFile) return openGoogleSpreadsheet({ id, accountFile, url, ...hooks })
  return openCsvSpreadsheet({ folder: join(dataDir, 'planilhas'), ...hooks })
}

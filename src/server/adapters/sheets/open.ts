import { join } from 'node:path'
import { openCsvSpreadsheet } from '#server/adapters/sheets/csv.ts'
import { openGoogleSpreadsheet } from '#server/adapters/sheets/google.ts'
import type { BeforeWrite, Spreadsheet } from '#server/adapters/sheets/spreadsheet.ts'
import { type Config, defaultSheetsUrl } from '#server/core/config.ts'

export type SheetSettings = Pick<Config, 'dataDir' | 'googleSheetsId' | 'googleServiceAccount' | 'googleSheetsUrl'>

interface SheetHooks {
  beforeWrite: BeforeWrite
  /** Aborted when the process stops. */
  leaving(): AbortSignal
}

/** Folder of the CSV files, when there is no Google account. */
export const sheetFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'planilhas')

/** URL where people open the spreadsheet. A fake Google server shows it at its own URL. */
export const sheetAddress = ({ googleSheetsId, googleSheetsUrl }: Omit<SheetSettings, 'dataDir'>) =>
  googleSheetsUrl === defaultSheetsUrl ? `https://docs.google.com/spreadsheets/d/${googleSheetsId}` : googleSheetsUrl

/** Opens the spreadsheet of the settings: Google Sheets, or CSV files in the data folder. */
export function openSpreadsheet(settings: SheetSettings, hooks: SheetHooks): Spreadsheet {
  const { googleSheetsId: id, googleServiceAccount: accountFile, googleSheetsUrl: url } = settings
  if (id && accountFile)
    return openGoogleSpreadsheet({ id, address: sheetAddress(settings), accountFile, url, ...hooks })
  return openCsvSpreadsheet({ folder: sheetFolder(settings), ...hooks })
}

/** Opens an earlier spreadsheet by its name; undefined if there is no account for it. */
export function openFormerSpreadsheet(
  name: string,
  settings: SheetSettings,
  hooks: SheetHooks,
): Spreadsheet | undefined {
  const [, googleSheetsId] = /^google:(.*)$/.exec(name) ?? []
  if (googleSheetsId && !settings.googleServiceAccount) return undefined
  return openSpreadsheet({ ...settings, googleSheetsId }, hooks)
}

// Which spreadsheet the settings name: Google's, or files in the data folder.
import { join } from 'node:path'
import { openCsvSpreadsheet } from '#server/adapters/sheets/csv.ts'
import { openGoogleSpreadsheet } from '#server/adapters/sheets/google.ts'
import type { BeforeWrite, Spreadsheet } from '#server/adapters/sheets/spreadsheet.ts'
import { type Config, defaultSheetsUrl } from '#server/core/config.ts'

export type SheetSettings = Pick<Config, 'dataDir' | 'googleSheetsId' | 'googleServiceAccount' | 'googleSheetsUrl'>

export interface SheetHooks {
  beforeWrite: BeforeWrite
  leaving(): AbortSignal
}

/** Where files are when there is no account. */
export const sheetFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'planilhas')

/** Where a person opens the sheet. A stand-in of Google's interface shows it on its own address. */
export const sheetAddress = ({ googleSheetsId, googleSheetsUrl }: Omit<SheetSettings, 'dataDir'>) =>
  googleSheetsUrl === defaultSheetsUrl ? `https://docs.google.com/spreadsheets/d/${googleSheetsId}` : googleSheetsUrl

export function openSpreadsheet(settings: SheetSettings, hooks: SheetHooks): Spreadsheet {
  const { googleSheetsId: id, googleServiceAccount: accountFile, googleSheetsUrl: url } = settings
  if (id && accountFile)
    return openGoogleSpreadsheet({ id, address: sheetAddress(settings), accountFile, url, ...hooks })
  return openCsvSpreadsheet({ folder: sheetFolder(settings), ...hooks })
}

/** By the name that it had when it was the current one; undefined if there is no account to open it with. */
export function openFormerSpreadsheet(
  name: string,
  settings: SheetSettings,
  hooks: SheetHooks,
): Spreadsheet | undefined {
  const [, googleSheetsId] = /^google:(.*)$/.exec(name) ?? []
  if (googleSheetsId && !settings.googleServiceAccount) return undefined
  return openSpreadsheet({ ...settings, googleSheetsId }, hooks)
}

// Values of the campaign form: from a stored campaign, and to the body of the endpoints.
import { campaignLabels, type StoredCampaign, shareTextFields } from '#contract/admin/campaigns.ts'
import { type CountingMode, type ShareTexts, shareChannels } from '#contract/campaigns.ts'
import type { FormValues } from '#web/forms/submission/form-values.ts'

export const labels = campaignLabels

export type FieldName = keyof typeof labels
/** A campaign as its form holds it: every value is text. */
export type CampaignValues = Record<FieldName, string>

export const fieldNames = Object.keys(labels) as FieldName[]

const defaults: Partial<CampaignValues> = { themeColor: 'red', baseCount: '0', countingMode: 'signed' }

export function valuesOfCampaign(campaign?: StoredCampaign): CampaignValues {
  const stored: Partial<Record<FieldName, unknown>> = campaign
    ? { ...campaign, ...shareTextFields(campaign.shareTexts) }
    : defaults
  return Object.fromEntries(fieldNames.map((name) => [name, String(stored[name] ?? '')])) as CampaignValues
}

/** Picks the fields of a campaign from the values of a form. */
export function campaignValuesIn(values: FormValues): CampaignValues {
  return Object.fromEntries(fieldNames.map((name) => [name, String(values[name] ?? '')])) as CampaignValues
}

/** Parses a whole number, with or without thousands separators. */
export function numberIn(text: string): number | undefined {
  const digits = text.replace(/[.\s]/g, '')
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}

/** Whether the form says that only confirmed signatures count. */
export const countingModeIn = ({ countingMode }: CampaignValues): CountingMode =>
  countingMode === 'confirmed' ? 'confirmed' : 'signed'

/** The share texts of the form, without the empty ones. */
export function shareTextsIn(values: CampaignValues): ShareTexts {
  const filled = shareChannels.filter((channel) => values[`shareTexts.${channel}`].trim())
  return Object.fromEntries(filled.map((channel) => [channel, values[`shareTexts.${channel}`].trim()]))
}

/** Converts form values to the body of the endpoints. */
export function fieldsToSend(values: CampaignValues): Record<string, unknown> {
  const { baseCount, meta } = values
  return {
    ...values,
    baseCount: numberIn(baseCount) ?? baseCount,
    meta: numberIn(meta) ?? meta,
    shareTexts: shareTextsIn(values),
  }
}

export function differences(one: CampaignValues, other: CampaignValues): FieldName[] {
  return fieldNames.filter((name) => one[name] !== other[name])
}

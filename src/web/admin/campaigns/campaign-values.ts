import { campaignLabels, type StoredCampaign } from '#contract/admin/campaigns.ts'
import type { FormValues } from '#web/forms/submission/form-values.ts'

export const labels = campaignLabels

export type FieldName = keyof typeof labels
/** A campaign as its form holds it: every value is text. */
export type CampaignValues = Record<FieldName, string>

export const fieldNames = Object.keys(labels) as FieldName[]

const defaults: Partial<CampaignValues> = { themeColor: 'red', baseCount: '0' }

export function valuesOfCampaign(campaign?: StoredCampaign): CampaignValues {
  const entries = fieldNames.map((name) => [name, String(campaign?.[name] ?? (campaign ? '' : (defaults[name] ?? '')))])
  return Object.fromEntries(entries) as CampaignValues
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

/** Converts form values to the body of the endpoints. */
export function fieldsToSend({ baseCount, ...values }: CampaignValues): Record<string, unknown> {
  return { ...values, baseCount: numberIn(baseCount) ?? baseCount }
}

export function differences(one: CampaignValues, other: CampaignValues): FieldName[] {
  return fieldNames.filter((name) => one[name] !== other[name])
}

// A campaign as the fields of its form hold it: everything is text. What they are called, how they are sent, where two of them differ.
import { campaignLabels, type StoredCampaign } from '#contract/admin/campaigns.ts'
import type { FormValues } from '#web/forms/form-values.ts'

export const labels = campaignLabels

export type FieldName = keyof typeof labels
export type CampaignValues = Record<FieldName, string>

export const fieldNames = Object.keys(labels) as FieldName[]

const blank: Partial<CampaignValues> = { themeColor: 'red', baseCount: '0' }

export function valuesOfCampaign(campaign?: StoredCampaign): CampaignValues {
  const entries = fieldNames.map((name) => [name, String(campaign?.[name] ?? (campaign ? '' : (blank[name] ?? '')))])
  return Object.fromEntries(entries) as CampaignValues
}

/** From whatever a form holds, the fields of a campaign. */
export function campaignValuesIn(values: FormValues): CampaignValues {
  return Object.fromEntries(fieldNames.map((name) => [name, String(values[name] ?? '')])) as CampaignValues
}

/** A whole number as people type it, with or without dots. */
export function numberIn(text: string): number | undefined {
  const digits = text.replace(/[.\s]/g, '')
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}

/** What the endpoints take. */
export function fieldsToSend({ baseCount, ...values }: CampaignValues): Record<string, unknown> {
  return { ...values, baseCount: numberIn(baseCount) ?? baseCount }
}

export function differences(one: CampaignValues, other: CampaignValues): FieldName[] {
  return fieldNames.filter((name) => one[name] !== other[name])
}

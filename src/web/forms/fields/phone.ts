import { nationalDigits } from '#contract/phone.ts'
import type { FormValues } from '#web/forms/submission/form-values.ts'

export const withNationalDigits = (values: FormValues) => ({
  ...values,
  whatsapp: nationalDigits(String(values.whatsapp ?? '')),
})

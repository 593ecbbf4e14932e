// Preview of the campaign page from the form values, in phone and desktop size.
import { useState } from 'react'
import type { CampaignPreview } from '#contract/admin/campaigns.ts'
import type { CampaignStatus } from '#contract/campaigns.ts'
import { type CampaignValues, countingModeIn, numberIn, shareTextsIn } from '#web/admin/campaigns/campaign-values.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { PreviewFrame, ScreenChoice, type ScreenSize } from '#web/admin/ui/preview-frame.tsx'

interface PreviewProps {
  values: CampaignValues
  signatures: number
  version: number
  status: CampaignStatus
  onClose(): void
}

export function Preview({ values, signatures, version, status, onClose }: PreviewProps) {
  const [screen, setScreen] = useState<ScreenSize>('phone')
  const message = previewOf({ values, signatures, version, status })
  return (
    <Dialog title="Prévia da página" onClose={onClose} wide>
      <ScreenChoice screen={screen} onChoose={setScreen} />
      <PreviewFrame title="Prévia da página da campanha" screen={screen} message={message} onClose={onClose} />
    </Dialog>
  )
}

function previewOf({ values, signatures, version, status }: Omit<PreviewProps, 'onClose'>): CampaignPreview {
  const { sheetTab: _, baseCount, meta, ...texts } = values
  return {
    campaign: {
      ...texts,
      titulo: texts.titulo || 'Título da campanha',
      slug: texts.slug || 'previa',
      subtitulo: texts.subtitulo || null,
      heroImageUrl: texts.heroImageUrl || null,
      ogTitle: texts.ogTitle || null,
      ogDescription: texts.ogDescription || null,
      ogImageUrl: texts.ogImageUrl || null,
      baseCount: numberIn(baseCount) ?? 0,
      versaoManifesto: version,
      // A draft is shown as it will be once it is live.
      status: status === 'draft' ? 'live' : status,
      meta: numberIn(meta) ?? null,
      countingMode: countingModeIn(values),
      resultHtml: texts.resultHtml || null,
      shareTexts: shareTextsIn(values),
    },
    signatures,
  }
}

// Texts of shared links by channel, with the derived text as placeholder.
import { channelNames } from '#contract/admin/campaigns.ts'
import type { CampaignStatus, ShareChannel } from '#contract/campaigns.ts'
import { shareText } from '#contract/share.ts'
import { CampaignTextField } from '#web/admin/campaigns/campaign-text-field.tsx'
import type { CampaignValues } from '#web/admin/campaigns/campaign-values.ts'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

/** Facebook ignores the text of a shared link, so there is no field for it. */
export const channelsWithText = ['whatsapp', 'telegram', 'twitter'] as const
const facebook = 'shareTexts.facebook'

const helpOf = (channel: ShareChannel) =>
  channel === 'twitter' ? 'O link entra sozinho no fim e completa os 280 da rede.' : 'O link entra sozinho no fim.'

interface ShareTextsProps {
  form: FieldState
  values: CampaignValues
  status: CampaignStatus
}

export function ShareTexts({ form, values, status }: ShareTextsProps) {
  const isOver = status === 'closed' || status === 'won'
  return (
    <>
      {isOver && (
        <p className="notice">
          A campanha terminou: estes textos não são mais usados. Quem compartilha manda só o título e o link.
        </p>
      )}
      {channelsWithText.map((channel) => (
        <CampaignTextField
          key={channel}
          form={form}
          name={`shareTexts.${channel}`}
          values={values}
          help={helpOf(channel)}
          placeholder={shareText({ ...textsOf(values), status, shareTexts: {} }, channel)}
          long
        />
      ))}
      <input type="hidden" name={facebook} defaultValue={form.initial(facebook)} />
      <p className="hint">
        O {channelNames.facebook} não aceita texto pronto: mostra o título, a descrição e a imagem do link.
      </p>
    </>
  )
}

export const textsOf = ({ titulo, ogTitle }: CampaignValues) => ({
  titulo: titulo.trim() || 'Título da campanha',
  ogTitle: ogTitle.trim() || null,
})

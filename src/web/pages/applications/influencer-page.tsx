import { InfluencerForm } from '#web/forms/influencer-form.tsx'
import { ApplicationView } from '#web/pages/applications/application-view.tsx'

export default function InfluencerPage() {
  return (
    <ApplicationView
      sticker="Influenciadores"
      title="Sua voz chega mais longe"
      lead="Não importa se você fala para cem ou para cem mil pessoas: entre para a rede que espalha boas ideias pelo Brasil."
    >
      <InfluencerForm />
    </ApplicationView>
  )
}

import { LeaderForm } from '#web/forms/leader-form.tsx'
import { ApplicationView } from '#web/pages/applications/application-view.tsx'

export default function LeaderPage() {
  return (
    <ApplicationView
      sticker="Lideranças"
      title="Lidere na sua cidade"
      lead="Quem organiza a rua, o bairro ou a cidade faz o movimento existir. Conte quem você é e como quer ajudar."
    >
      <LeaderForm />
    </ApplicationView>
  )
}

// The choice which signatures the public counter includes, with what each choice means.
import { countingModeNames, publicSignatures, type StoredCampaign } from '#contract/admin/campaigns.ts'
import { type CountingMode, countingModes } from '#contract/campaigns.ts'
import { type CampaignValues, countingModeIn, labels, numberIn } from '#web/admin/campaigns/campaign-values.ts'
import { formatNumber } from '#web/admin/ui/format-number.ts'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

const explanations: Record<CountingMode, string> = {
  signed:
    'O contador anda na hora. Mas quem assina com o e-mail de outra pessoa vê, pelo contador, se ela já tinha assinado.',
  confirmed:
    'O contador só anda quando a pessoa toca no botão do e-mail: ninguém descobre quem já assinou, e o número cresce mais devagar. Precisa do envio de e-mails ligado. Listas importadas ficam de fora até serem confirmadas; se quiser, some-as na contagem inicial.',
}

interface CountingModeChoiceProps {
  form: FieldState
  values: CampaignValues
  stored: StoredCampaign | undefined
}

export function CountingModeChoice({ form, values, stored }: CountingModeChoiceProps) {
  const initial = form.initial('countingMode') || 'signed'
  const error = form.errors.countingMode
  const shown = (mode: CountingMode) =>
    formatNumber((numberIn(values.baseCount) ?? 0) + (stored ? publicSignatures(stored, mode) : 0))
  const chosen = countingModeIn(values)
  return (
    <fieldset className="counting-mode" aria-describedby="countingMode-dica">
      <legend>{labels.countingMode}</legend>
      {countingModes.map((mode) => (
        <div key={mode}>
          <label className="check">
            <input
              type="radio"
              id={mode === 'signed' ? 'countingMode' : undefined}
              name="countingMode"
              value={mode}
              defaultChecked={initial === mode}
              aria-describedby={`countingMode-${mode}`}
            />
            <span>{countingModeNames[mode]}</span>
          </label>
          <p className="faint" id={`countingMode-${mode}`}>
            {explanations[mode]}
          </p>
        </div>
      ))}
      {error && <p className="error">{error}</p>}
      <p className="faint" id="countingMode-dica" role="status">
        {stored && chosen !== stored.countingMode
          ? `${changeText(shown(stored.countingMode), shown(chosen))} Páginas abertas mostram o número novo em segundos, ou quando forem recarregadas.`
          : 'Dá para mudar depois: o contador passa na hora para o outro número. Aqui na coordenação aparecem sempre os dois.'}
      </p>
    </fieldset>
  )
}

function changeText(before: string, after: string): string {
  if (before === after) return `Ao salvar, o contador público continua em ${after}.`
  return `Ao salvar, o contador público passa de ${before} para ${after}.`
}

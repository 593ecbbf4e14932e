// Resolves an edit conflict: displays what the other administrator changed, and merges it without losing either side.
import { useLayoutEffect, useRef, useState } from 'react'
import { countingModeNames, type StoredCampaign, themeNames } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { type CampaignValues, type FieldName, labels, valuesOfCampaign } from '#web/admin/campaigns/campaign-values.ts'
import { compare, merge } from '#web/admin/campaigns/merge.ts'
import { textChanges } from '#web/admin/editor/text-changes.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'

interface ConflictProps {
  /** The values at the start of the edit. */
  base: CampaignValues
  mine: CampaignValues
  stored: StoredCampaign
  onResolve(merged: CampaignValues): void
}

export function Conflict({ base, mine, stored, onResolve }: ConflictProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [keepStored, setKeepStored] = useState<ReadonlySet<FieldName>>(new Set())
  const sides = { base, mine, stored: valuesOfCampaign(stored) }
  const { theirs, both } = compare(sides)
  useLayoutEffect(() => heading.current?.focus(), [])

  function choose(name: FieldName, keep: boolean): void {
    const next = new Set(keepStored)
    if (keep) next.add(name)
    else next.delete(name)
    setKeepStored(next)
  }

  return (
    <section className="panel campaign-conflict" aria-labelledby="conflito">
      <h2 id="conflito" tabIndex={-1} ref={heading}>
        Outra pessoa salvou antes de você
      </h2>
      <p>{adminMessages.campaign.changed(stored.alteradaPor ?? 'Outra pessoa')}</p>
      <p className="faint">Salvo em {formatDateTime(stored.updatedAt)}.</p>
      {theirs.length > 0 && (
        <>
          <h3>Mudou lá e você não tinha mexido</h3>
          <p>Entra no seu formulário como está salvo.</p>
          <dl>
            {theirs.map((name) => (
              <div key={name}>
                <dt>{labels[name]}</dt>
                <dd>
                  <Difference name={name} before={base[name]} after={sides.stored[name]} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {both.map((name) => (
        <fieldset key={name} className="quarrel">
          <legend>{labels[name]}: vocês dois mudaram</legend>
          <Choice
            name={name}
            label="Ficar com o meu"
            chosen={!keepStored.has(name)}
            onChoose={() => choose(name, false)}
          />
          <Difference name={name} before={base[name]} after={mine[name]} />
          <Choice
            name={name}
            label="Ficar com o que está salvo"
            chosen={keepStored.has(name)}
            onChoose={() => choose(name, true)}
          />
          <Difference name={name} before={base[name]} after={sides.stored[name]} />
        </fieldset>
      ))}
      <div className="actions">
        <button type="button" className="button button-yellow" onClick={() => onResolve(merge(sides, keepStored))}>
          Juntar as mudanças
        </button>
        <button type="button" className="button" onClick={() => onResolve(sides.stored)}>
          Descartar as minhas
        </button>
      </div>
      <p className="faint">O formulário abaixo espera a sua escolha. Nada é salvo ainda: confira e salve depois.</p>
    </section>
  )
}

interface ChoiceProps {
  name: FieldName
  label: string
  chosen: boolean
  onChoose(): void
}

function Choice({ name, label, chosen, onChoose }: ChoiceProps) {
  return (
    <label className="check">
      <input type="radio" name={`escolha-${name}`} checked={chosen} onChange={onChoose} />
      <span>{label}</span>
    </label>
  )
}

function Difference({ name, before, after }: { name: FieldName; before: string; after: string }) {
  if (name === 'manifestoHtml' || name === 'resultHtml') return <TextDifference before={before} after={after} />
  return (
    <p className="difference">
      {before && <del>{formatValue(name, before)}</del>}{' '}
      {after ? <ins>{formatValue(name, after)}</ins> : <em>(vazio)</em>}
    </p>
  )
}

function formatValue(name: FieldName, value: string): string {
  if (name === 'themeColor') return themeNames[value as keyof typeof themeNames] ?? value
  if (name === 'countingMode') return countingModeNames[value as keyof typeof countingModeNames] ?? value
  return name === 'heroImageUrl' || name === 'ogImageUrl' ? 'uma imagem' : value
}

function TextDifference({ before, after }: { before: string; after: string }) {
  const changes = textChanges(before, after).filter(({ kind }) => kind !== 'same')
  if (changes.length === 0) return <p className="difference">Só a formatação mudou.</p>
  return (
    <div className="difference">
      {changes.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <p key={index}>{kind === 'added' ? <ins>{text}</ins> : <del>{text}</del>}</p>
      ))}
    </div>
  )
}

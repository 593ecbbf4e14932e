// Shown when another administrator saved first: what changed, and how to go on without losing either side.
import { useEffect, useRef } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { changedPaths, describeSetting, type SiteFields, type StoredSite, siteLabels } from '#contract/admin/site.ts'
import { contested, mergeMine } from '#web/admin/site/merge-settings.ts'

interface SiteConflictProps {
  base: SiteFields
  mine: SiteFields
  stored: StoredSite
  onResolve(merged: SiteFields): void
}

export function SiteConflict({ base, mine, stored, onResolve }: SiteConflictProps) {
  const sides = { base, mine, stored: stored.settings }
  const theirs = changedPaths(base, stored.settings)
  const both = contested(sides)
  const hasMine = changedPaths(base, mine).length > 0
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="panel site-conflict" aria-labelledby="conflito">
      <h2 id="conflito" ref={heading} tabIndex={-1}>
        Há uma versão mais nova
      </h2>
      <p>{adminMessages.site.changed(stored.autor ?? 'Outra pessoa')} O que mudou:</p>
      <dl>
        {theirs.map((path) => (
          <div key={path}>
            <dt>
              {siteLabels[path]}
              {both.includes(path) && ' (você também mudou)'}
            </dt>
            <dd>{describeSetting(stored.settings, path, stored.deputado) || '(vazio)'}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        {hasMine && (
          <button type="button" className="button button-yellow" onClick={() => onResolve(mergeMine(sides))}>
            {both.length > 0 ? 'Juntar; onde os dois mudaram, fica o meu' : 'Juntar com as minhas mudanças'}
          </button>
        )}
        <button type="button" className="button" onClick={() => onResolve(stored.settings)}>
          {hasMine ? 'Descartar as minhas e usar a versão salva' : 'Usar a versão salva'}
        </button>
      </div>
    </section>
  )
}

import { Link } from 'react-router'
import { adminPaths } from '#contract/admin/paths.ts'
import type { SystemStatus } from '#contract/admin/system.ts'

export function SampleSettings({ settings }: { settings: SystemStatus['sampleSettings'] }) {
  if (settings.length === 0) return null
  return (
    <section className="panel" aria-labelledby="dados-de-exemplo">
      <h2 id="dados-de-exemplo">Dados de exemplo para trocar</h2>
      <p>
        O site ainda usa estes valores de exemplo. Troque-os em <Link to={adminPaths.site}>Site</Link>. Só os que têm
        nome em maiúsculas (no ambiente ou no arquivo .env) e o deputado (no arquivo indicado em SITE_FILE) são de quem
        cuida do servidor, que reinicia o site depois.
      </p>
      <ul className="sample-settings">
        {settings.map(({ key, value }) => (
          <li key={key}>
            <strong>{key}</strong> {value}
          </li>
        ))}
      </ul>
    </section>
  )
}

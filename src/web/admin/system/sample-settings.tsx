import type { SystemStatus } from '#contract/admin/system.ts'

export function SampleSettings({ settings }: { settings: SystemStatus['sampleSettings'] }) {
  if (settings.length === 0) return null
  return (
    <section className="panel" aria-labelledby="dados-de-exemplo">
      <h2 id="dados-de-exemplo">Dados de exemplo para trocar</h2>
      <p>
        O site ainda usa estes valores de exemplo. Quem cuida do servidor troca os que têm nome em maiúsculas no
        ambiente (ou no arquivo .env), os outros no arquivo indicado em SITE_FILE, e reinicia o site.
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

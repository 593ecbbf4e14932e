interface CustomFieldsProps {
  fields: Record<string, unknown>
}

export function CustomFields({ fields }: CustomFieldsProps) {
  if (Object.keys(fields).length === 0) return null
  return (
    <>
      <h2>Campos personalizados</h2>
      <Fields fields={fields} />
    </>
  )
}

/** Values may be nested records. */
function Fields({ fields }: CustomFieldsProps) {
  return (
    <dl>
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isRecord(value) ? <Fields fields={value} /> : formatValue(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function formatValue(value: unknown): string {
  if (value === true) return 'sim'
  if (value === false) return 'não'
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  return isRecord(value) ? JSON.stringify(value) : String(value)
}

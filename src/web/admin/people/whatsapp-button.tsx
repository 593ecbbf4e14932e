// Opens a WhatsApp chat with a prefilled text, which can be edited for all people of the kind.
import { useState } from 'react'
import type { PeopleKind } from '#contract/admin/people.ts'
import { namePlaceholder, whatsappChatUrl } from '#web/admin/people/people-labels.ts'
import { maxTemplateLength, readTemplate, saveTemplate } from '#web/admin/people/whatsapp-template.ts'
import '#web/forms/fields/field.css'

interface WhatsappButtonProps {
  tipo: PeopleKind
  person: { nome: string; whatsapp: string }
}

export function WhatsappButton({ tipo, person }: WhatsappButtonProps) {
  const [template, setTemplate] = useState(() => readTemplate(tipo))
  const url = whatsappChatUrl(person, template)
  if (!url) return <p className="faint">O telefone não permite abrir o WhatsApp.</p>
  return (
    <div className="whatsapp-chat">
      <a className="button button-yellow" href={url} target="_blank" rel="noreferrer">
        Abrir no WhatsApp
      </a>
      <details>
        <summary>Editar o texto</summary>
        <div className="field">
          <label htmlFor="texto-whatsapp">Texto da mensagem</label>
          <textarea
            id="texto-whatsapp"
            rows={4}
            maxLength={maxTemplateLength}
            value={template}
            aria-describedby="texto-whatsapp-dica"
            onChange={({ currentTarget }) => {
              setTemplate(currentTarget.value)
              saveTemplate(tipo, currentTarget.value)
            }}
          />
          <p id="texto-whatsapp-dica" className="hint">
            {namePlaceholder} vira o primeiro nome. O texto fica guardado neste navegador.
          </p>
        </div>
      </details>
    </div>
  )
}

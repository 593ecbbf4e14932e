// Must list the same fields as the database tables.
const kept = [
  {
    form: 'Petições e campanhas',
    fields: 'Nome, e-mail, WhatsApp, cidade, estado e, se você quiser, redes sociais. E qual campanha você assinou.',
  },
  { form: 'Voluntários', fields: 'Nome, e-mail, WhatsApp e as tarefas que você escolheu.' },
  {
    form: 'Influenciadores',
    fields: 'Nome, e-mail, WhatsApp, cidade, estado, redes sociais e as tarefas que você escolheu.',
  },
  {
    form: 'Lideranças',
    fields:
      'Nome, e-mail, WhatsApp, CPF, data de nascimento, gênero, profissão, endereço, cidade, estado, CEP, motivação, disponibilidade e, se você quiser, experiência e redes sociais.',
  },
  {
    form: 'Em todos esses formulários',
    fields:
      'A origem, quando há uma: a palavra que veio no link (como “radio-comunitaria”) ou o nome do site em que o formulário estava.',
  },
  {
    form: 'Comunidade',
    fields: 'Este site não recebe nada: o formulário é de um serviço externo, com regras próprias.',
  },
]

export function KeptByForm() {
  return (
    <dl>
      {kept.map(({ form, fields }) => (
        <div key={form}>
          <dt>{form}</dt>
          <dd>{fields}</dd>
        </div>
      ))}
    </dl>
  )
}

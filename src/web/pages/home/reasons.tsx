// Reasons to take part, and the goals of the movement.

const reasons = [
  [
    'Porque silêncio também decide',
    'Quando a gente se cala, outros falam por nós. Participar é não deixar a cadeira vazia.',
  ],
  ['Porque mentira corre', 'Informação bem contada, por quem você conhece e confia, chega aonde propaganda não chega.'],
  ['Porque junto rende', 'Sozinho, um post some. Na mesma hora, com a mesma mensagem, vira assunto.'],
  ['Porque é daqui', 'Cada cidade tem a sua pauta. Quem mora nela sabe contar melhor do que ninguém.'],
] as const

const goals = [
  'Defender a democracia e os direitos de quem trabalha.',
  'Mostrar, com fontes, o que o governo faz e o que ainda falta fazer.',
  'Responder à desinformação com informação e respeito.',
  'Formar gente que mobiliza em cada cidade do país.',
] as const

export function Reasons() {
  return (
    <section className="reasons" aria-labelledby="por-que-titulo">
      <div className="home-inner">
        <h2 className="home-title" id="por-que-titulo">
          Por que participar
        </h2>
        <ul className="posters">
          {reasons.map(([title, text]) => (
            <li className="reason" key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
        <section className="goals" id="objetivos" aria-labelledby="objetivos-titulo">
          <h3 className="goals-title" id="objetivos-titulo">
            Nossos objetivos
          </h3>
          <ul>
            {goals.map((goal) => (
              <li key={goal}>{goal}</li>
            ))}
          </ul>
        </section>
      </div>
    </section>
  )
}

// When the site erases data by itself. Only the server renders it.
import { describePeriods, namesWithoutPeriod, type RetentionPeriods } from '#contract/retention.ts'

const ownData = <a href="/meus-dados">Meus dados</a>

const otherData: Partial<Record<keyof RetentionPeriods, string>> = {
  assinaturas: 'os dados de quem assinou',
  mensagens: 'as mensagens trocadas com o robô',
}

export function RetentionText({ periods }: { periods: RetentionPeriods }) {
  const described = describePeriods(periods)
  if (described.length === 0)
    return (
      <p>
        Enquanto a campanha ou o trabalho em que você se inscreveu durar, ou até você apagar: o que vier primeiro. O
        site não apaga cadastros sozinho por prazo. Quem apaga é você, em {ownData}, ou a coordenação, se você pedir.
      </p>
    )
  const hasPeriod = (...kinds: (keyof RetentionPeriods)[]) => kinds.some((kind) => periods[kind] !== null)
  const others = namesWithoutPeriod(periods)
  return (
    <>
      <p>
        Até você apagar, em {ownData} ou pedindo à coordenação. Se ninguém apagar antes, o próprio site apaga no fim do
        prazo:
      </p>
      <ul>
        {described.map(({ kind, name, period }) => (
          <li key={kind}>
            Apagamos {otherData[kind] ?? `os dados de ${name}`} <strong>{period}</strong>.
          </li>
        ))}
        {others && <li>Não têm prazo: {others}.</li>}
      </ul>
      {hasPeriod('voluntarios', 'influenciadores', 'lideres') && (
        <p>
          Se a coordenação atualiza o contato com você (situação, responsável, etiquetas ou notas), o prazo do cadastro
          recomeça nesse dia.
        </p>
      )}
      {hasPeriod('assinaturas') && (
        <p>
          Sua assinatura continua valendo: o contador não diminui. Ficam só as somas, por dia, hora, estado, cidade,
          origem e versão do texto assinado, sem nome, e-mail nem telefone. Uma lista incluída depois do fim da campanha
          tem o mesmo prazo, contado do dia em que foi incluída.
        </p>
      )}
      {hasPeriod('mensagens') && <p>Da conversa com o robô ficam a última mensagem e os dados que você informou.</p>}
      <p>Os prazos são escolhidos pela coordenação e podem mudar sem uma nova versão deste texto.</p>
    </>
  )
}

// `/meus-dados/…`: everything that is stored about the address of the link, and what its owner can do.
import type { ReactNode } from 'react'
import { fillPath } from '#contract/endpoint.ts'
import {
  doneParameter,
  downloadOwnData,
  type OwnData,
  type OwnRecord,
  ownDataMessages,
  ownDataPaths,
} from '#contract/own-data.ts'
import { ownData } from '#web/api/own-data.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { useQuery } from '#web/api/store.ts'
import { Article } from '#web/layout/article.tsx'
import { recordTitle } from '#web/pages/own-data/record-title.ts'
import './own-data.css'

const doneTexts: Record<string, string> = {
  corrigido: ownDataMessages.corrected,
  retirada: ownDataMessages.withdrawn,
}

const timeZone = 'America/Sao_Paulo'
const timeFormat = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone })
const dayFormat = new Intl.DateTimeFormat('pt-BR', { timeZone })

const Day = ({ of: time }: { of: string }) => <time dateTime={time}>{dayFormat.format(new Date(time))}</time>

export function RecordsView() {
  const { params } = usePageContext()
  const token = params.token ?? ''
  const { data } = useQuery(ownData(token))
  if (!data) return null
  const { endereco, linkValeAte, registros, conversas, emails, preferencias } = data
  const done = doneTexts[params[doneParameter] ?? '']
  return (
    <Article sticker="Meus dados" title="O que guardamos de você" lead="Tudo o que está ligado a este e-mail.">
      {done && (
        <p className="own-data-done" role="status">
          {done}
        </p>
      )}
      <p>
        E-mail: <strong className="own-data-address">{endereco}</strong>. Este link vale até as{' '}
        {timeFormat.format(new Date(linkValeAte))} (horário de Brasília). Não mande para ninguém.
      </p>
      <p className="own-data-actions">
        <a className="button button-yellow" href={fillPath(downloadOwnData.path, { token })} download>
          Baixar tudo
        </a>
        <a className="button button-paper" href={preferencias}>
          Escolher os e-mails
        </a>
      </p>

      <h2>Assinaturas e cadastros</h2>
      {registros.length === 0 && <p>Não há nenhuma assinatura nem cadastro com este e-mail.</p>}
      {registros.map((record) => (
        <RecordCard key={record.id} record={record} token={token} />
      ))}
      {conversas.length > 0 && <Conversations conversations={conversas} />}
      <Emails emails={emails} />
      <NotShown />
      <h2>Apagar tudo</h2>
      <p>Assinaturas, cadastros, conversas e o resto. Antes de apagar, a próxima página pergunta de novo.</p>
      <p>
        <a className="button button-paper" href={fillPath(ownDataPaths.erase, { token })}>
          Apagar meus dados
        </a>
      </p>
    </Article>
  )
}

function RecordCard({ record, token }: { record: OwnRecord; token: string }) {
  const { id, tipo, dados, enviadoEm, confirmadoEm, versaoConsentimento, versaoManifesto, importacao } = record
  const { situacao, etiquetas, notas } = record.acompanhamento
  const title = recordTitle(record)
  return (
    <section className="card own-data-record" aria-labelledby={`r-${id}`}>
      <h3 id={`r-${id}`}>{title}</h3>
      <Values>
        {dados.map(({ nome, valor }) => (
          <Value key={nome} name={nome}>
            {valor}
          </Value>
        ))}
        <Value name={importacao ? 'Incluído pela coordenação' : 'Enviado'}>
          <Day of={enviadoEm} />
        </Value>
        {importacao && (
          <Value name="De onde veio">
            {importacao.origem || 'lista da coordenação'}. Por que podemos guardar: {importacao.baseLegal}
          </Value>
        )}
        <Value name="E-mail confirmado">{confirmadoEm ? <Day of={confirmadoEm} /> : 'não'}</Value>
        <Value name="Versão da privacidade que você aceitou">{versaoConsentimento}</Value>
        {versaoManifesto !== null && <Value name="Versão do texto que você assinou">{versaoManifesto}</Value>}
        <Value name="Na lista da coordenação">
          {[
            situacao,
            etiquetas.length > 0 && `etiquetas: ${etiquetas.join(', ')}`,
            notas.length > 0 && (notas.length === 1 ? '1 nota da equipe' : `${notas.length} notas da equipe`),
          ]
            .filter(Boolean)
            .join('; ')}
        </Value>
      </Values>
      <p className="own-data-actions">
        <a className="button button-paper" href={fillPath(ownDataPaths.correct(tipo), { token, id })}>
          Corrigir <span className="own-data-which">{title}</span>
        </a>
        {tipo === 'assinaturas' && (
          <a className="button button-paper" href={fillPath(ownDataPaths.withdraw, { token, id })}>
            Retirar <span className="own-data-which">{title}</span>
          </a>
        )}
      </p>
    </section>
  )
}

function Conversations({ conversations }: { conversations: OwnData['conversas'] }) {
  return (
    <>
      <h2>Conversas com o robô</h2>
      {conversations.map(({ inicio, ultima, dados, mensagens }) => (
        <section className="card own-data-record" key={inicio}>
          <h3>
            Conversa de <Day of={inicio} />
          </h3>
          <Values>
            {dados.map(({ nome, valor }) => (
              <Value key={nome} name={nome}>
                {valor}
              </Value>
            ))}
            <Value name="Última mensagem">
              <Day of={ultima} />
            </Value>
          </Values>
          {mensagens.length > 0 && (
            <details>
              <summary>{mensagens.length === 1 ? 'Ver a mensagem' : `Ver as ${mensagens.length} mensagens`}</summary>
              <ul>
                {mensagens.map(({ quando, mensagem, resposta }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
                  <li key={index}>
                    <Day of={quando} />: {mensagem && <>você: “{mensagem}” </>}
                    {resposta && <>robô: “{resposta}”</>}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </section>
      ))}
    </>
  )
}

function Emails({ emails }: { emails: OwnData['emails'] }) {
  const { enviados, novidades, aguardando, descadastradoEm, naoContatarDesde, recusadoEm, motivoDaRecusa } = emails
  return (
    <>
      <h2>E-mails</h2>
      <Values>
        {enviados.map(({ assunto, quantidade, ultimo }) => (
          <Value key={assunto} name={assunto}>
            {quantidade === 1 ? '1 e-mail' : `${quantidade} e-mails`}, o último em <Day of={ultimo} />
          </Value>
        ))}
        {novidades.map(({ titulo, situacao }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <Value key={index} name={`Novidade: ${titulo}`}>
            {situacao}
          </Value>
        ))}
        {aguardando ? <Value name="Na fila">{aguardando}</Value> : null}
        {naoContatarDesde && (
          <Value name="Pediu para nunca mais receber e-mails">
            <Day of={naoContatarDesde} />
          </Value>
        )}
        {descadastradoEm && !naoContatarDesde && (
          <Value name="Saiu das novidades">
            <Day of={descadastradoEm} />
          </Value>
        )}
        {emails.semNovidadesDe.length > 0 && (
          <Value name="Não quer novidades de">{emails.semNovidadesDe.join(', ')}</Value>
        )}
        {recusadoEm && (
          <Value name="Endereço suspenso">
            <Day of={recusadoEm} />
            {motivoDaRecusa && `: ${motivoDaRecusa}`}
          </Value>
        )}
      </Values>
    </>
  )
}

function NotShown() {
  const { site } = usePageContext()
  return (
    <>
      <h2>O que não aparece aqui</h2>
      <p>
        O CPF aparece só em parte, para o caso de alguém abrir o seu e-mail. O texto das notas da equipe pode falar de
        outras pessoas: a coordenação confere e manda. Conversas com o robô só aparecem se este e-mail foi dito nelas.
        Para pedir o que falta, escreva para <a href={`mailto:${site.contato.email}`}>{site.contato.email}</a>: a
        resposta é de graça e chega em até 15 dias.
      </p>
    </>
  )
}

const Values = ({ children }: { children: ReactNode }) => <dl>{children}</dl>

const Value = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

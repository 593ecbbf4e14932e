// `/privacidade`: which personal data is stored, in simple words. It may claim only what the software does.
import { privacyVersion } from '#contract/privacy.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { Article } from '#web/layout/article.tsx'
import { RetentionText } from '#web/pages/texts/retention-text.tsx'
import { KeptByForm } from '#web/pages/texts/stored-data-by-form.tsx'

export default function PrivacyPage() {
  const { site, retention } = usePageContext()
  const mail = <a href={`mailto:${site.contato.email}`}>{site.contato.email}</a>
  return (
    <Article
      sticker="Privacidade"
      title="Seus dados são seus"
      lead="O que guardamos, para quê, por quanto tempo e como você manda apagar. Sem letra miúda."
    >
      <section className="card" aria-labelledby="resumo">
        <h2 id="resumo">Em resumo</h2>
        <ul>
          <li>
            Guardamos o que você escreve nos nossos formulários, aqui ou em papel, e a origem do link que trouxe você.
          </li>
          <li>Usamos para aquilo em que você se inscreveu e, só se você marcar, para mandar novidades.</li>
          <li>Não vendemos, não trocamos e não publicamos seus dados.</li>
          <li>Na entrega de uma petição, a lista de quem assinou pode ir junto: só nome, cidade e estado.</li>
          <li>Sem cookies, sem rastreadores, sem anúncios.</li>
          <li>
            Quer ver, corrigir ou apagar? Use <a href="/meus-dados">Meus dados</a>.
          </li>
        </ul>
      </section>

      <h2>O que guardamos</h2>
      <p>Depende do formulário que você envia. Quem só visita o site não deixa nome, e-mail nem telefone.</p>
      <KeptByForm />
      <p>
        Junto de cada envio ficam a data e a hora, um número que identifica o envio, a versão deste texto que você
        aceitou e se você marcou que quer receber novidades. Do seu e-mail guardamos também uma forma simplificada (em
        minúsculas, por exemplo), para reconhecer quando o mesmo endereço aparece de novo.
      </p>
      <p>
        A origem serve para saber o que traz mais gente. Ela é a mesma para todo mundo que usa o link: não diz quem você
        é nem por onde você navegou.
      </p>
      <p>
        Para não escrever a quem pediu que parássemos, nem vezes demais, guardamos um resumo do endereço de e-mail (um
        código que não diz qual é o endereço) e quantas mensagens mandamos para ele em cada campanha. Quando os dados
        são apagados ficam só o resumo e um número, sem a campanha.
      </p>
      <p>
        No fim de cada e-mail há um link para escolher o que você recebe: todas as novidades, todas menos as de uma
        campanha, nenhuma, ou nenhum e-mail nosso. Guardamos essa escolha com o resumo do endereço, e guardamos quando
        você confirmou que o e-mail é seu. Novidades só vão para quem confirmou. Não há rastreador nos e-mails: não
        sabemos quem abriu nem quem tocou em um link.
      </p>
      <p>
        Se o provedor recusa o seu endereço, ou você marca um e-mail nosso como spam, paramos de escrever para ele.
        Guardamos o endereço, a data e o motivo, para a coordenação poder desfazer um engano. Quando os seus dados são
        apagados, o endereço sai dessa lista e fica só o resumo.
      </p>
      <p>
        Se você assina sem internet, a assinatura espera no seu próprio aparelho até ser enviada, no máximo por sete
        dias, e sai dele nesse momento. As páginas de petição que você abriu também ficam no aparelho, para abrir sem
        internet: é só a página, nada sobre você.
      </p>
      <p>
        Se você assinou em papel ou se cadastrou com o movimento fora deste site, a coordenação pode incluir a lista
        aqui. Guardamos então os mesmos dados, de onde veio a lista e por que podemos guardá-los. Você tem os mesmos
        direitos, e incluir a lista não manda nenhum e-mail.
      </p>
      <p>
        A coordenação também anota como anda o contato com você: situação, responsável, etiquetas e notas. Isso é
        apagado junto com o seu cadastro.
      </p>
      <p>
        Se você conversa com o robô de mensagens do movimento e ele está ligado a este site, guardamos a conversa e os
        dados que você informa nela.
      </p>

      <h2>Para quê</h2>
      <ul>
        <li>Contar as assinaturas, uma por pessoa em cada campanha.</li>
        <li>Falar com você sobre aquilo em que você se inscreveu.</li>
        <li>Organizar voluntários, influenciadores e lideranças por cidade e estado.</li>
        <li>Mandar novidades, somente se você marcou essa opção e confirmou o e-mail.</li>
      </ul>
      <p>
        Assinar uma campanha mostra uma opinião política, e a lei trata isso como dado sensível. Por isso só guardamos
        com o seu consentimento, dado no momento em que você envia o formulário ou assina a lista em papel (LGPD, art.
        11, I). O site não mostra a ninguém quem assinou: na página aparece só a soma.
      </p>

      <h2>O que o contador pode revelar</h2>
      <p>
        O contador de uma campanha é só um número, mas um número que anda também conta alguma coisa. Em cada campanha, a
        coordenação escolhe quando ele anda:
      </p>
      <ul>
        <li>
          <strong>Ao assinar.</strong> A página diz “pessoas já assinaram”. Quem digita o e-mail de outra pessoa e fica
          olhando o contador pode desconfiar se esse endereço já tinha assinado: um e-mail repetido não soma.
        </li>
        <li>
          <strong>Só depois de confirmada.</strong> A página diz “assinaturas confirmadas”. O contador só anda quando a
          pessoa toca no botão do e-mail que recebeu, então ninguém mais descobre por ele quem já assinou.
        </li>
      </ul>
      <p>
        Nos dois casos a resposta do site é a mesma, seja a primeira vez ou não. Com o envio de e-mails ligado, o dono
        do endereço recebe um aviso quando alguém assina por ele.
      </p>

      <h2>Por quanto tempo</h2>
      {retention && <RetentionText periods={retention} />}

      <h2>Com quem dividimos</h2>
      <p>
        Uma petição só vale quando chega a quem decide. Na entrega, a coordenação pode juntar a lista de quem assinou,
        com nome, cidade e estado; e-mail e telefone nunca vão. No mais, com ninguém de fora do movimento. Os dados
        ficam no banco de dados deste site, e só a coordenação tem acesso. Quando a coordenação liga essas ferramentas,
        o site também usa a planilha do movimento, para organizar as listas, e o e-mail do movimento, para escrever a
        você. CPF, data de nascimento e endereço não vão para a planilha.
      </p>
      <p>
        O servidor vê o endereço de internet (IP) do seu aparelho para poder responder, mas não o grava com o seu
        cadastro. O registro técnico (o log) não guarda nomes, e-mails nem telefones. O CPF de quem se inscreve como
        liderança é guardado cifrado.
      </p>

      <h2>Cookies e terceiros</h2>
      <p>
        Este site não utiliza cookies. Também não carrega nada de outras empresas quando você abre uma página: letras,
        imagens e programas saem daqui mesmo.
      </p>
      <p>
        Os botões de WhatsApp, Instagram, Twitter e outras redes levam você para fora, e só quando você toca neles. O
        formulário da <a href="/comunidade">comunidade</a> é de um serviço externo e só abre se você pedir. Lá fora
        valem as regras de cada serviço.
      </p>

      <h2>Seus direitos</h2>
      <p>A Lei Geral de Proteção de Dados (Lei 13.709/2018, art. 18) garante que você pode, sem pagar nada:</p>
      <ul>
        <li>confirmar se temos dados seus e receber uma cópia;</li>
        <li>corrigir o que estiver errado ou desatualizado;</li>
        <li>retirar o consentimento e pedir que tudo seja apagado, inclusive a assinatura;</li>
        <li>parar de receber novidades, de uma campanha ou de todas;</li>
        <li>perguntar com quem seus dados foram divididos;</li>
        <li>levar seus dados para outro lugar;</li>
        <li>reclamar à Autoridade Nacional de Proteção de Dados (ANPD).</li>
      </ul>
      <h3>Como pedir</h3>
      <p>
        Em <a href="/meus-dados">Meus dados</a> você mesmo vê, corrige, baixa e apaga, sem esperar: mandamos para o seu
        e-mail um link que vale por uma hora. A página responde igual para qualquer endereço, para ninguém descobrir por
        ela quem assinou.
      </p>
      <p>
        Prefere pedir a uma pessoa? Escreva para {mail}, do mesmo e-mail que você usou no formulário, dizendo o que
        quer. É assim que sabemos que o pedido é seu. Não precisa explicar o motivo.
      </p>
      <p className="article-small">
        Versão {privacyVersion}. Esta é a versão que fica registrada junto com o que você envia. Se o texto mudar, a
        versão muda também.
      </p>
    </Article>
  )
}

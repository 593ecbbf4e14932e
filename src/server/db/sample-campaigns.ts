// The five campaigns of a new site. They argue for a cause and state no fact, figure or date that would need proof.

interface SampleCampaign {
  slug: string
  titulo: string
  subtitulo: string
  manifestoHtml: string
  baseCount: number
  heroImageUrl: null
  sheetTab: string
  ogTitle: string
  ogDescription: string
  ogImageUrl: null
  themeColor: 'red' | 'green' | 'yellow' | 'ink'
}

const noImages = { heroImageUrl: null, ogImageUrl: null }

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeHtml = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? character)

export function sampleCampaigns(deputado: { slug: string; nome: string }): SampleCampaign[] {
  return [
    {
      ...noImages,
      slug: 'juros',
      titulo: 'Solta o freio, Brasil: juros baixos já',
      subtitulo:
        'Juro alto encarece a prestação, esvazia a loja e adia sonhos. Assine por um crédito que deixe o país trabalhar.',
      baseCount: 18245,
      sheetTab: 'juros',
      ogTitle: 'Juros baixos já: assine e solte o freio do Brasil',
      ogDescription: 'Juro é decisão, e decisão pública se discute em público. Leva menos de um minuto para assinar.',
      themeColor: 'red',
      manifestoHtml: `<p>Todo mundo sente o juro alto, mesmo quem nunca pediu empréstimo. Ele se esconde na prestação da geladeira, no cartão que rola de um mês para o outro, na vaga que não abriu porque o crédito ficou caro demais.</p>
<h2>Quem paga essa conta</h2>
<p>Paga a família que escolhe entre a feira e o boleto. Paga quem tem um pequeno negócio e desiste de contratar. Paga o país, que deixa obra e pesquisa para depois. <strong>Dinheiro caro premia quem tem dinheiro parado e castiga quem quer produzir.</strong></p>
<h2>O que pedimos</h2>
<ul>
<li>Redução firme e responsável da taxa básica de juros.</li>
<li>Crédito justo para famílias, pequenos negócios e agricultura familiar.</li>
<li>Decisões sobre juros explicadas em língua de gente.</li>
</ul>
<p>Juro não é chuva, que cai e pronto: é decisão, e decisão pública se discute em público. Assine, chame mais uma pessoa e ajude a soltar o freio do Brasil.</p>`,
    },
    {
      ...noImages,
      slug: `cassacao-${deputado.slug}`,
      titulo: `Mandato não é escudo: pela cassação de ${deputado.nome}`,
      subtitulo: 'A regra vale para todos. Pedimos que a Câmara julgue o caso às claras e com direito de defesa.',
      baseCount: 0,
      sheetTab: 'cassacao',
      ogTitle: `Pela cassação de ${deputado.nome}: assine`,
      ogDescription: 'Ninguém está acima das regras. Peça que a Câmara julgue o caso às claras, com direito de defesa.',
      themeColor: 'ink',
      manifestoHtml: `<p>Mandato é confiança emprestada. Quem recebe o voto recebe também deveres: respeitar a Constituição, o decoro e cada pessoa que representa, inclusive quem votou diferente.</p>
<h2>A mesma régua para todos</h2>
<p>Quando a conduta de um parlamentar é questionada, o silêncio é a pior resposta. As regras da Câmara existem para ser aplicadas, seja qual for o partido, seja qual for o nome. <strong>Ninguém está acima delas, e ninguém fica sem a proteção delas.</strong></p>
<h2>O que pedimos</h2>
<ul>
<li>Que a Câmara dos Deputados examine e julgue o pedido de cassação do mandato de ${escapeHtml(deputado.nome)}.</li>
<li>Que o processo ande às claras, com prazo e voto aberto.</li>
<li>Que o direito de defesa seja respeitado do começo ao fim.</li>
</ul>
<p>Defendemos a cassação pelo caminho da lei, sem ofensa e sem ameaça. Assine se você também quer um Parlamento que presta contas a quem o elegeu.</p>`,
    },
    {
      ...noImages,
      slug: 'brasilquerpaz',
      titulo: 'O Brasil quer paz',
      subtitulo: 'Paz não é silêncio: é justiça, diálogo e respeito. Some a sua assinatura.',
      baseCount: 0,
      sheetTab: 'brasilquerpaz',
      ogTitle: 'O Brasil quer paz. E você?',
      ogDescription: 'Por um país que resolve as suas diferenças conversando. Assine e convide a sua família.',
      themeColor: 'green',
      manifestoHtml: `<p>Queremos um país em que a gente possa discordar no almoço de domingo e continuar na mesma mesa. Em que política seja conversa, e não motivo de medo.</p>
<h2>Paz se constrói</h2>
<p>Paz não é calar nem fingir que está tudo bem. É garantir que ninguém seja ameaçado pelo que pensa, que o voto de cada pessoa seja respeitado e que a violência nunca seja argumento. <strong>Onde há justiça e escuta, o ódio perde o palanque.</strong></p>
<h2>O nosso compromisso</h2>
<ul>
<li>Debater ideias sem atacar pessoas.</li>
<li>Conferir antes de compartilhar.</li>
<li>Cobrar das autoridades respeito às instituições e proteção a quem é ameaçado.</li>
</ul>
<p>Esta assinatura é um pedido aos que governam e uma promessa entre nós. Assine, compartilhe e comece uma conversa boa hoje.</p>`,
    },
    {
      ...noImages,
      slug: 'contra-pec-da-impunidade',
      titulo: 'Ninguém acima da lei: não à PEC da Impunidade',
      subtitulo: 'Quem faz as leis tem de responder por elas. Diga não a qualquer blindagem.',
      baseCount: 0,
      sheetTab: 'pec-da-impunidade',
      ogTitle: 'Diga não à PEC da Impunidade',
      ogDescription: 'Quem faz as leis tem de responder por elas como qualquer pessoa. Assine contra a blindagem.',
      themeColor: 'red',
      manifestoHtml: `<p>A lei que vale na fila do posto de saúde tem de valer no plenário. Chamamos de PEC da Impunidade a proposta de dar a parlamentares uma proteção que nenhuma outra pessoa tem diante da Justiça.</p>
<h2>Garantia não é privilégio</h2>
<p>Um mandato precisa ser livre para falar, votar e fiscalizar, e essa liberdade nós defendemos. Outra coisa é usar o cargo para que uma investigação dependa da licença dos colegas. <strong>Isso não protege a democracia: protege quem tem medo de responder.</strong></p>
<h2>O que pedimos</h2>
<ul>
<li>Que deputados e senadores rejeitem qualquer forma de blindagem.</li>
<li>Que toda votação sobre o tema seja aberta e nominal.</li>
<li>Que mudanças na Constituição sejam debatidas com o povo.</li>
</ul>
<p>Assine e mostre ao seu representante que você está de olho. Lei boa é a que alcança todo mundo.</p>`,
    },
    {
      ...noImages,
      slug: 'fim-escala-6x1',
      titulo: 'A vida não cabe num domingo: fim da escala 6x1',
      subtitulo: 'Trabalhar é parte da vida, não a vida inteira. Assine por mais descanso, sem corte de salário.',
      baseCount: 0,
      sheetTab: 'fim-escala-6x1',
      ogTitle: 'Pelo fim da escala 6x1: a vida não cabe num domingo',
      ogDescription:
        'Seis dias de trabalho, um para todo o resto. Essa conta não fecha. Assine pelo fim da escala 6x1.',
      themeColor: 'yellow',
      manifestoHtml: `<p>Seis dias para o trabalho, um para todo o resto: limpar a casa, ver os filhos, estudar, ir ao médico, namorar, dormir. Quem vive na escala 6x1 sabe que essa conta não fecha.</p>
<h2>Descanso é direito</h2>
<p>Descansar não é preguiça nem prêmio. É o que mantém a saúde de pé, a família por perto e a cabeça inteira para trabalhar bem. <strong>Uma economia que só funciona com gente exausta precisa mudar, e mudar faz bem a ela também.</strong></p>
<h2>O que pedimos</h2>
<ul>
<li>O fim da escala de seis dias de trabalho por um de folga.</li>
<li>Nenhuma redução de salário por causa da mudança.</li>
<li>Transição negociada, com apoio aos pequenos negócios.</li>
</ul>
<p>Os direitos que hoje parecem naturais já foram chamados de impossíveis. Assine, conte a sua história e passe adiante: tempo de viver também é salário.</p>`,
    },
  ]
}

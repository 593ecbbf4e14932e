// The carousel of a fresh site: what each material says and how its poster is drawn.
import type { Poster } from '#server/core/poster.ts'

export interface SampleContent {
  titulo: string
  categoria: string
  descricao: string
  ordem: number
  poster: Omit<Poster, 'movimento'>
}

const juros = 'JUROS BAIXOS'
const escala = 'FIM DA ESCALA 6X1'
const democracia = 'DEMOCRACIA'
const paz = 'PAZ'

const contents: (Omit<SampleContent, 'ordem' | 'poster'> & { poster: Omit<Poster, 'categoria' | 'movimento'> })[] = [
  {
    titulo: 'Baixa esse juro!',
    categoria: juros,
    descricao:
      'Juro alto encarece o crediário, o capital de giro e o sonho da casa própria. Baixar os juros é escolha, e escolha se cobra. Assine a petição e mande para o seu grupo.',
    poster: {
      titulo: 'Baixa esse juro!',
      chamada: 'Assine por crédito que cabe\nno bolso de quem trabalha.',
      tema: 'red',
      arte: 'arrow',
    },
  },
  {
    titulo: 'A vida não cabe num domingo',
    categoria: escala,
    descricao:
      'Seis dias de trabalho, um para a casa, a família, o médico, o estudo e o sono. A conta não fecha. Compartilhe com quem também vive esperando a folga.',
    poster: {
      titulo: 'A vida não cabe num\ndomingo',
      chamada: 'Pelo fim da escala 6x1,\nsem corte de salário.',
      tema: 'yellow',
      arte: 'calendar',
    },
  },
  {
    titulo: 'Ninguém acima da lei',
    categoria: democracia,
    descricao:
      'Mandato é para servir, não para se esconder. Quem faz a lei responde por ela como qualquer pessoa. Diga não à PEC da Impunidade e passe adiante.',
    poster: {
      titulo: 'Ninguém acima da lei',
      chamada: 'Diga não à PEC da Impunidade.',
      tema: 'ink',
      arte: 'megaphone',
    },
  },
  {
    titulo: 'O Brasil quer paz',
    categoria: paz,
    descricao:
      'Paz não é silêncio: é justiça, diálogo e respeito. Some a sua voz a quem quer um país que resolve as diferenças conversando. Assine e convide a sua família.',
    poster: {
      titulo: 'O Brasil quer\npaz',
      chamada: 'Justiça, diálogo e respeito.\nAssine você também.',
      tema: 'green',
      arte: 'dove',
    },
  },
  {
    titulo: 'Pague dois, leve um? Chega!',
    categoria: juros,
    descricao:
      'Comprar a prazo não pode ser pagar em dobro. Com juro alto, a família compra menos e o comércio do bairro vende menos. Compartilhe e assine por juros mais baixos.',
    poster: {
      titulo: 'Pague dois, leve um?\nChega!',
      chamada: 'Juro alto é promoção\nao contrário.',
      tema: 'yellow',
      arte: 'burst',
    },
  },
  {
    titulo: 'Descanso é direito',
    categoria: escala,
    descricao:
      'Descansar não é prêmio nem favor: é o que permite viver, estudar e cuidar de quem a gente ama. Levante a mão com quem quer o fim da escala 6x1.',
    poster: {
      titulo: 'Descanso é direito',
      chamada: 'Levante a mão\npelo fim da escala 6x1.',
      tema: 'red',
      arte: 'hands',
    },
  },
  {
    titulo: 'Democracia se faz todo dia',
    categoria: democracia,
    descricao:
      'Democracia não acaba na urna: continua na conversa, na cobrança e na assinatura. Escolha uma campanha, assine hoje e chame mais uma pessoa.',
    poster: {
      titulo: 'Democracia se faz todo dia',
      chamada: 'Vote, cobre, assine, participe.',
      tema: 'ink',
      arte: 'stripes',
    },
  },
  {
    titulo: 'Menos grito, mais conversa',
    categoria: paz,
    descricao:
      'Dá para discordar sem brigar. Puxe uma conversa com calma no grupo da família, no trabalho, no ponto de ônibus. Comece mandando este cartaz.',
    poster: {
      titulo: 'Menos grito,\nmais conversa',
      chamada: 'Discordar faz parte.\nBrigar, não precisa.',
      tema: 'green',
      arte: 'balloons',
    },
  },
  {
    titulo: 'Juro baixo é porta aberta',
    categoria: juros,
    descricao:
      'Com crédito justo, a lojinha abre, a oficina contrata e a roça planta. Juro baixo é trabalho perto de casa. Assine a petição e mostre a quem tem o próprio negócio.',
    poster: {
      titulo: 'Juro baixo é porta aberta',
      chamada: 'Crédito justo para quem\nplanta, produz e vende.',
      tema: 'green',
      arte: 'awning',
    },
  },
  {
    titulo: 'Tem vida depois do expediente',
    categoria: escala,
    descricao:
      'Tem filho esperando, tem jogo, tem samba, tem estudo, tem rede na varanda. Trabalhar é parte da vida, não a vida inteira. Compartilhe pelo fim da escala 6x1.',
    poster: {
      titulo: 'Tem vida depois do expediente',
      chamada: 'Menos escala, mais vida.\nFim da 6x1.',
      tema: 'red',
      arte: 'halftone',
    },
  },
]

export const sampleContents: SampleContent[] = contents.map((content, ordem) => ({
  ...content,
  ordem,
  poster: { ...content.poster, categoria: content.categoria },
}))

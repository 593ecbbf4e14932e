// Texts and design of each sample poster, by the name of its files.
import type { Poster } from './composition.ts'

export const posters: Record<string, Omit<Poster, 'categoria'>> = {
  arrow: {
    titulo: 'Baixa esse juro!',
    chamada: 'Assine por crédito que cabe\nno bolso de quem trabalha.',
    tema: 'red',
    arte: 'arrow',
  },
  calendar: {
    titulo: 'A vida não cabe num\ndomingo',
    chamada: 'Pelo fim da escala 6x1,\nsem corte de salário.',
    tema: 'yellow',
    arte: 'calendar',
  },
  megaphone: {
    titulo: 'Ninguém acima da lei',
    chamada: 'Diga não à PEC da Impunidade.',
    tema: 'ink',
    arte: 'megaphone',
  },
  dove: {
    titulo: 'O Brasil quer\npaz',
    chamada: 'Justiça, diálogo e respeito.\nAssine você também.',
    tema: 'green',
    arte: 'dove',
  },
  burst: {
    titulo: 'Pague dois, leve um?\nChega!',
    chamada: 'Juro alto é promoção\nao contrário.',
    tema: 'yellow',
    arte: 'burst',
  },
  hands: {
    titulo: 'Descanso é direito',
    chamada: 'Levante a mão\npelo fim da escala 6x1.',
    tema: 'red',
    arte: 'hands',
  },
  stripes: {
    titulo: 'Democracia se faz todo dia',
    chamada: 'Vote, cobre, assine, participe.',
    tema: 'ink',
    arte: 'stripes',
  },
  balloons: {
    titulo: 'Menos grito,\nmais conversa',
    chamada: 'Discordar faz parte.\nBrigar, não precisa.',
    tema: 'green',
    arte: 'balloons',
  },
  awning: {
    titulo: 'Juro baixo é porta aberta',
    chamada: 'Crédito justo para quem\nplanta, produz e vende.',
    tema: 'green',
    arte: 'awning',
  },
  halftone: {
    titulo: 'Tem vida depois do expediente',
    chamada: 'Menos escala, mais vida.\nFim da 6x1.',
    tema: 'red',
    arte: 'halftone',
  },
}

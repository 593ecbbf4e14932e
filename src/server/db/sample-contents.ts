// The contents of a new site. Their posters were drawn by scripts/sample-posters/draw.ts.

interface SampleContent {
  titulo: string
  categoria: string
  descricao: string
  /** Name of the files in the folder sample-posters, one for each format. */
  imagem: string
}

const juros = 'JUROS BAIXOS'
const escala = 'FIM DA ESCALA 6X1'
const democracia = 'DEMOCRACIA'
const paz = 'PAZ'

export const sampleContents: SampleContent[] = [
  {
    titulo: 'Baixa esse juro!',
    categoria: juros,
    descricao:
      'Juro alto encarece o crediário, o capital de giro e o sonho da casa própria. Baixar os juros é escolha, e escolha se cobra. Assine a petição e mande para o seu grupo.',
    imagem: 'arrow',
  },
  {
    titulo: 'A vida não cabe num domingo',
    categoria: escala,
    descricao:
      'Seis dias de trabalho, um para a casa, a família, o médico, o estudo e o sono. A conta não fecha. Compartilhe com quem também vive esperando a folga.',
    imagem: 'calendar',
  },
  {
    titulo: 'Ninguém acima da lei',
    categoria: democracia,
    descricao:
      'Mandato é para servir, não para se esconder. Quem faz a lei responde por ela como qualquer pessoa. Diga não à PEC da Impunidade e passe adiante.',
    imagem: 'megaphone',
  },
  {
    titulo: 'O Brasil quer paz',
    categoria: paz,
    descricao:
      'Paz não é silêncio: é justiça, diálogo e respeito. Some a sua voz a quem quer um país que resolve as diferenças conversando. Assine e convide a sua família.',
    imagem: 'dove',
  },
  {
    titulo: 'Pague dois, leve um? Chega!',
    categoria: juros,
    descricao:
      'Comprar a prazo não pode ser pagar em dobro. Com juro alto, a família compra menos e o comércio do bairro vende menos. Compartilhe e assine por juros mais baixos.',
    imagem: 'burst',
  },
  {
    titulo: 'Descanso é direito',
    categoria: escala,
    descricao:
      'Descansar não é prêmio nem favor: é o que permite viver, estudar e cuidar de quem a gente ama. Levante a mão com quem quer o fim da escala 6x1.',
    imagem: 'hands',
  },
  {
    titulo: 'Democracia se faz todo dia',
    categoria: democracia,
    descricao:
      'Democracia não acaba na urna: continua na conversa, na cobrança e na assinatura. Escolha uma campanha, assine hoje e chame mais uma pessoa.',
    imagem: 'stripes',
  },
  {
    titulo: 'Menos grito, mais conversa',
    categoria: paz,
    descricao:
      'Dá para discordar sem brigar. Puxe uma conversa com calma no grupo da família, no trabalho, no ponto de ônibus. Comece mandando este cartaz.',
    imagem: 'balloons',
  },
  {
    titulo: 'Juro baixo é porta aberta',
    categoria: juros,
    descricao:
      'Com crédito justo, a lojinha abre, a oficina contrata e a roça planta. Juro baixo é trabalho perto de casa. Assine a petição e mostre a quem tem o próprio negócio.',
    imagem: 'awning',
  },
  {
    titulo: 'Tem vida depois do expediente',
    categoria: escala,
    descricao:
      'Tem filho esperando, tem jogo, tem samba, tem estudo, tem rede na varanda. Trabalhar é parte da vida, não a vida inteira. Compartilhe pelo fim da escala 6x1.',
    imagem: 'halftone',
  },
]

// Texts used by many pages: server replies and field errors. Texts of one feature are in its contract file.
// Texts from the specification are exact copies.
export const messages = {
  fields: {
    nome: 'Nome deve ter pelo menos 3 caracteres',
    nomeLongo: 'Nome muito longo',
    email: 'Email inválido',
    whatsappCurto: 'Número deve ter pelo menos 8 dígitos',
    whatsappLongo: 'Número muito longo',
    whatsappFormato: 'Formato de telefone inválido',
    cidade: 'Cidade é obrigatória',
    cidadeLonga: 'Nome de cidade muito longo',
    estado: 'Estado é obrigatório',
    redesSociaisLongo: 'Texto de redes sociais muito longo',
    textoLongo: 'Texto muito longo',
    caracteres: 'O texto tem caracteres que não podem ser gravados',
    marcacao: 'Marque ou desmarque a opção',
    invalido: 'Valor não aceito',
  },
  petition: {
    signed: 'Sua assinatura foi registrada com sucesso!',
    signedFallback: 'Assinatura realizada com sucesso!',
    emailComing: 'Vai chegar um e-mail para você confirmar a assinatura. Se demorar, olhe no spam.',
    confirmToCount:
      'Falta só confirmar: vai chegar um e-mail, e a sua assinatura entra na contagem quando você tocar no botão dele. Se demorar, olhe no spam.',
    failed: 'Ocorreu um erro. Por favor, tente novamente.',
    honeypot: 'Falha na verificação de segurança. Tente novamente.',
  },
  campaign: {
    loading: 'Carregando campanha...',
    notFound: 'Campanha não encontrada',
  },
  cities: {
    unknownState: 'Estado não encontrado',
  },
  toast: {
    success: 'Sucesso!',
    error: 'Erro',
  },
  offline: {
    whose: 'Esta assinatura é sua?',
    found: (email: string) => `A assinatura de ${email} ficou guardada neste aparelho e ainda não foi registrada.`,
    kept: 'Sua assinatura está guardada, ainda não enviada',
    alone: 'Pode fechar esta página: assim que a internet voltar, este aparelho envia sozinho.',
    stay: 'Assim que a internet voltar, ela é enviada. Deixe esta página aberta ou volte aqui depois.',
    trying: 'Tentando enviar...',
    still: 'Ainda sem internet. Sua assinatura continua guardada.',
    busy: 'Ainda não foi possível enviar. Sua assinatura continua guardada.',
    lost: 'A assinatura não está mais guardada neste aparelho. Confira os dados e envie de novo: quem já assinou não é contado duas vezes.',
    sent: 'Assinatura enviada',
  },
  form: {
    emailComing: 'Você também vai receber um e-mail de confirmação. Se demorar, olhe no spam.',
    check: 'Confira os campos marcados:',
    away: 'Não conseguimos gravar agora. O que você escreveu continua aqui: tente de novo em alguns segundos.',
    busy: 'Muita gente assinando agora. Vamos tentar de novo sozinhos em alguns segundos: deixe esta página aberta.',
    connection: 'Erro de conexão. Verifique sua internet e tente novamente.',
  },
} as const

// Texts that only the server uses are separate constants, so that browsers do not load them.

export const campaignClosed = 'Esta campanha já encerrou e não recebe mais assinaturas.'

export const httpMessages = {
  invalid: 'Não entendemos o pedido. Confira os dados e tente de novo.',
  unauthenticated: 'Entre de novo para continuar.',
  crossSite: 'Este envio veio de outro site e não foi aceito. Abra a nossa página e envie por ela.',
  notFound: 'Endereço não encontrado.',
  tooLarge: 'Os dados enviados passam do tamanho aceito.',
  mediaType: 'Formato de envio não aceito. Use JSON ou um formulário.',
  timeout: 'O pedido demorou demais para chegar. Tente de novo.',
  headers: 'O cabeçalho do pedido passa do tamanho aceito.',
  tooMany: 'Muitos pedidos seguidos. Espere um pouco e tente de novo.',
  unavailable: 'Estamos com muita procura agora. Tente de novo em alguns segundos.',
  unexpected: 'Algo deu errado do nosso lado. Tente de novo em alguns segundos.',
} as const

export const healthMessages = {
  live: 'Servidor no ar.',
  ready: 'Pronto para atender.',
  notReady: 'Ainda não está pronto: o banco de dados não respondeu.',
  metricsToken: 'As métricas pedem o token no cabeçalho Authorization.',
} as const

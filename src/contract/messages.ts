// Every sentence that the server answers or that a rule gives. Texts of the specification are kept to the letter.
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
    caracteres: 'O texto tem caracteres que não podem ser gravados',
    marcacao: 'Marque ou desmarque a opção',
  },
  petition: {
    signed: 'Sua assinatura foi registrada com sucesso!',
    signedFallback: 'Assinatura realizada com sucesso!',
    failed: 'Ocorreu um erro. Por favor, tente novamente.',
    honeypot: 'Falha na verificação de segurança. Tente novamente.',
  },
  campaign: {
    notFound: 'Campanha não encontrada',
  },
  toast: {
    success: 'Sucesso!',
    error: 'Erro',
  },
  form: {
    check: 'Confira os campos marcados:',
    away: 'Não conseguimos gravar agora. O que você escreveu continua aqui: tente de novo em alguns segundos.',
    connection: 'Erro de conexão. Verifique sua internet e tente novamente.',
  },
  http: {
    invalid: 'Não entendemos o pedido. Confira os dados e tente de novo.',
    unauthenticated: 'Entre de novo para continuar.',
    notFound: 'Endereço não encontrado.',
    methodNotAllowed: 'Este endereço não aceita esse tipo de pedido.',
    tooLarge: 'Os dados enviados passam do tamanho aceito.',
    mediaType: 'Formato de envio não aceito. Use JSON ou um formulário.',
    tooMany: 'Muitos pedidos seguidos. Espere um pouco e tente de novo.',
    unavailable: 'Estamos com muita procura agora. Tente de novo em alguns segundos.',
    unexpected: 'Algo deu errado do nosso lado. Tente de novo em alguns segundos.',
  },
  health: {
    live: 'Servidor no ar.',
    ready: 'Pronto para atender.',
    notReady: 'Ainda não está pronto: o banco de dados não respondeu.',
  },
} as const

// Every sentence of the admin area, apart from those of the public pages: none of them travels to a supporter's phone.
export const adminMessages = {
  session: {
    credentials: 'Informe usuário e senha.',
    refused: 'Usuário ou senha incorretos.',
    welcome: 'Login realizado com sucesso!',
    goodbye: 'Você saiu da área administrativa.',
    exists: 'O sistema admin está configurado.',
    missing: 'Ainda não há administrador. Use a configuração inicial.',
    created: 'Administrador criado. A senha está nas configurações ou no terminal do servidor.',
    alreadyThere: 'Já existe um administrador. Nada foi alterado.',
    failed: 'Erro ao fazer login',
    connection: 'Erro de conexão. Verifique sua internet.',
    diagnosisFailed: 'Erro ao verificar sistema admin',
    setUpFailed: 'Erro ao configurar admin',
    expired: 'Sua sessão terminou. Entre de novo para continuar de onde parou.',
    draftBack: 'Trouxemos de volta o que você tinha escrito. Confira e salve.',
  },
  list: {
    failed: 'Não foi possível carregar.',
    page: 'Página inválida',
  },
  numbers: {
    search: 'Busca inválida: escreva o nome de uma cidade',
    state: 'Estado inválido',
  },
} as const

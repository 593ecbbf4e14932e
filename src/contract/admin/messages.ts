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
  image: {
    missing: 'Selecione uma imagem.',
    tooLarge: 'A imagem passa de 5 MB. Escolha um arquivo menor.',
    format: 'Formato não aceito. Envie uma imagem JPEG, PNG ou WebP.',
    pixels: 'A imagem é grande demais: o limite é de 25 megapixels e de 8.000 pixels em cada lado.',
    animated: 'Imagens animadas não são aceitas. Envie uma imagem parada.',
    foreign: 'O arquivo traz mais do que uma imagem. Abra-o, salve de novo como imagem e envie.',
    broken: 'Não conseguimos ler a imagem: o arquivo está danificado ou incompleto.',
    interrupted: 'O envio chegou incompleto. Tente de novo.',
  },
  list: {
    failed: 'Não foi possível carregar.',
    page: 'Página inválida',
  },
} as const

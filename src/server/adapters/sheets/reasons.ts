/** Why a write failed, with advice for the operator. Not in the contract, so that browsers do not load it. */
export const reasons = {
  silent: 'A planilha do Google não respondeu a tempo. Vamos tentar de novo.',
  unreachable: 'Não foi possível falar com o Google. Confira a internet do servidor. Vamos tentar de novo.',
  broken: (status: number) => `O Google teve um problema (${status}). Vamos tentar de novo.`,
  quota: 'O Google pediu para ir mais devagar. Vamos tentar de novo.',
  account:
    'O Google não aceitou a conta de serviço: a chave foi apagada ou o relógio do servidor está errado. Confira GOOGLE_SERVICE_ACCOUNT.',
  notShared: (email: string) =>
    `A planilha não está compartilhada com a conta de serviço. Abra a planilha, toque em Compartilhar e dê acesso de Editor a ${email}.`,
  protectedRange: (email: string) =>
    `A planilha tem uma aba ou um intervalo protegido. Tire a proteção ou permita a edição por ${email}.`,
  unknownId: 'O Google não encontrou a planilha. Confira GOOGLE_SHEETS_ID: é o código que está no endereço dela.',
  disabled: 'A API do Google Planilhas está desligada no projeto da conta de serviço. Ligue-a no console do Google.',
  full: 'A planilha chegou ao limite de células do Google. Comece outra planilha e troque GOOGLE_SHEETS_ID.',
  refused: (status: number) => `O Google recusou a gravação (${status}). Confira a planilha e a conta de serviço.`,
  diskFull: 'O disco do servidor está cheio: não foi possível gravar a planilha.',
  fileRefused: (folder: string) => `Não foi possível gravar em ${folder}. Confira as permissões da pasta.`,
  unexpected: 'Algo deu errado ao gravar a planilha. Vamos tentar de novo.',
}

import type { OwnRecord } from '#contract/own-data.ts'

const formTitles = {
  voluntarios: 'Cadastro de voluntário',
  influenciadores: 'Inscrição de influenciador',
  lideres: 'Inscrição de liderança',
}

export const recordTitle = ({ tipo, campanha }: Pick<OwnRecord, 'tipo' | 'campanha'>): string =>
  tipo === 'assinaturas' ? `Assinatura: ${campanha ?? ''}` : formTitles[tipo]

// Apart from the schemas of the call, which the browser does not need.
export const browserErrorPath = '/api/erros-do-navegador'

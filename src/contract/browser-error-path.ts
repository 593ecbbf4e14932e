// Separate from browser-errors.ts, so that the browser does not load its schemas.
export const browserErrorPath = '/api/erros-do-navegador'

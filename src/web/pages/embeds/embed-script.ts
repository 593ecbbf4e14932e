/** The snippet that inserts the petition into another site and follows its height. */
export const embedScript = (publicUrl: string, slug: string) =>
  `<script src="${publicUrl}/embed.js" data-campanha="${slug}" async></script>`

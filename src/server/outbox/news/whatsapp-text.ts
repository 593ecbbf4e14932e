/** The text of a news item for WhatsApp. */
export function newsWhatsAppText({ titulo, link }: { titulo: string; html: string; link: string }): string {
  return `*${titulo}*\n\n${link}`
}

/**
 * Adds the styles of a part that is loaded later, so that the document of the page does not contain them. The
 * Content Security Policy allows no style elements and no style files.
 */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}

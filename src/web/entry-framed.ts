// Reports the height of an embedded page to the page around it: when asked, and after every change. Only framable pages
// load this script, and before all others: a wrong height is visible at once. The other side is `public/embed.js`.
if (parent !== window) {
  let parentOrigin = ''
  const observer = new ResizeObserver(() => {
    parent.postMessage({ altura: Math.ceil(document.body.getBoundingClientRect().height) }, parentOrigin)
  })
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || data !== 'mobiliza:altura?') return
    // Local files and sandboxed pages have the origin `null`, which postMessage does not accept as a target.
    parentOrigin = origin === 'null' ? '*' : origin
    observer.observe(document.body)
  })
  parent.postMessage('mobiliza:aqui', '*')
}

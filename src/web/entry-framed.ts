// Tells the page around this one how high it is, once that page asks, and again whenever it changes. Only framable pages load it,
// before everything else: a frame of the wrong height is the first thing that people would see. The other end is `public/embed.js`.
if (parent !== window) {
  let asker = ''
  const watcher = new ResizeObserver(() => {
    parent.postMessage({ altura: Math.ceil(document.body.getBoundingClientRect().height) }, asker)
  })
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || data !== 'mobiliza:altura?') return
    // Files and sandboxed pages have no origin by which they could be addressed.
    asker = origin === 'null' ? '*' : origin
    watcher.observe(document.body)
  })
  parent.postMessage('mobiliza:aqui', '*')
}

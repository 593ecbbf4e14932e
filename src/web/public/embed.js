// Puts a petition where this script tag stands and keeps its frame as high as the petition is:
//   <script src="https://…/embed.js" data-campanha="juros" async></script>
// It adds one frame after the tag, listens to that frame alone, and does nothing else to the page.
// Served as it is written, so that whoever is asked to run it can read it.
;(() => {
  const script = document.currentScript
  const { origin } = new URL(script.src)
  // With the attribute forgotten, the frame says that there is no such campaign.
  const slug = String(script.dataset.campanha)

  const frame = document.createElement('iframe')
  frame.src = `${origin}/embed/${encodeURIComponent(slug)}`
  frame.title = `Participe: ${slug.replaceAll('-', ' ')}`
  frame.loading = 'lazy'
  // Property by property: a strict policy of the page refuses a style attribute.
  Object.assign(frame.style, { display: 'block', width: '100%', height: '900px', border: '0' })

  addEventListener('message', ({ source, origin: sender, data }) => {
    if (source !== frame.contentWindow || sender !== origin) return
    if (data === 'mobiliza:aqui') source.postMessage('mobiliza:altura?', origin)
    else if (Number.isInteger(data?.altura)) frame.style.height = `${Math.min(Math.max(data.altura, 150), 6000)}px`
  })
  script.after(frame)
})()

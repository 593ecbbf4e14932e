// Embeds a petition after this script tag and keeps the height of the frame equal to the height of the petition:
//   <script src="https://…/embed.js" data-campanha="juros" async></script>
// It adds one frame after the tag, accepts messages only from that frame, and changes nothing else in the page.
// Served without minification, so that site owners can read the code before they use it.
;(() => {
  const script = document.currentScript
  const { origin } = new URL(script.src)
  // Without the attribute, the frame shows that the campaign does not exist.
  const slug = String(script.dataset.campanha)

  const frame = document.createElement('iframe')
  // The host name of this page is stored with the signature as its origin. No path, and nothing about the visitor.
  frame.src = `${origin}/embed/${encodeURIComponent(slug)}?de=${location.hostname}`
  frame.title = `Participe: ${slug.replaceAll('-', ' ')}`
  frame.loading = 'lazy'
  // Set as properties: a strict Content Security Policy of the page refuses a style attribute.
  Object.assign(frame.style, { display: 'block', width: '100%', height: '900px', border: '0' })

  addEventListener('message', ({ source, origin: sender, data }) => {
    if (source !== frame.contentWindow || sender !== origin) return
    if (data === 'mobiliza:aqui') source.postMessage('mobiliza:altura?', origin)
    else if (Number.isInteger(data?.altura)) frame.style.height = `${Math.min(Math.max(data.altura, 150), 6000)}px`
  })
  script.after(frame)
})()

// Recognises browsers inside apps, which cannot do all that others can.
/** The browser inside an app (WhatsApp, Instagram, Facebook, any WebView of Android or iOS), by its user agent. */
export function isInAppBrowser(agent = navigator.userAgent): boolean {
  // WebViews of iOS leave out the `Safari/` that every browser says.
  return (
    /FBA[NV]|FB_IAB|Instagram|WhatsApp|; wv\)/.test(agent) ||
    (!agent.includes('Safari/') && agent.includes('AppleWebKit/'))
  )
}

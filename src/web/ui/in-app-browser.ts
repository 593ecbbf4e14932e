/** Recognises browsers inside apps (WhatsApp, Instagram, Facebook, any WebView), which lack some features. */
export function isInAppBrowser(agent = navigator.userAgent): boolean {
  // The user agent of iOS WebViews lacks the `Safari/` that every browser includes.
  return (
    /FBA[NV]|FB_IAB|Instagram|WhatsApp|; wv\)/.test(agent) ||
    (!agent.includes('Safari/') && agent.includes('AppleWebKit/'))
  )
}

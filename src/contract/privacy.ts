// The version of the privacy text that people agree to; stored with what they send.
export const privacyVersion = '2026-11-15'

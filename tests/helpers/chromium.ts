// The system's Chromium, without what it would do on its own: no sandbox for root, no calls home.
import { execFileSync } from 'node:child_process'

export const findChromium = () => execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

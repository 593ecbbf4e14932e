// One small illustration for each step of `steps.tsx`.
import type { ReactNode } from 'react'

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 120 120"
      aria-hidden="true"
      stroke="#1b1410"
      strokeWidth="4"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      {children}
    </svg>
  )
}

export function PencilDrawing() {
  return (
    <Drawing>
      <path d="M18 14h66v92H18z" fill="#fff" />
      <path d="M30 34h42M30 52h42M30 70h22" fill="none" strokeWidth="6" />
      <path d="m56 96 6-24 40-46 18 16-40 46z" fill="#ffc400" />
      <path d="m56 96 6-24 18 16z" fill="#fff8ec" />
      <path d="m92 37 18 16" fill="none" />
    </Drawing>
  )
}

export function HashDrawing() {
  return (
    <Drawing>
      <path d="M8 12h104v72H62l-26 24V84H8z" fill="#c4122f" />
      <path d="m52 26-8 44M78 26l-8 44M36 40h50M32 57h50" fill="none" stroke="#fff" strokeWidth="9" />
    </Drawing>
  )
}

export function CameraDrawing() {
  return (
    <Drawing>
      <rect x="34" y="6" width="58" height="108" rx="9" fill="#1b1410" />
      <path d="M41 20h44v78H41z" fill="#0b6e4f" stroke="none" />
      <path d="m54 42 24 16-24 16z" fill="#fff" />
      <path d="M10 34 24 40M6 60h16M10 86l14-6M116 34l-14 6M118 60h-14M116 86l-14-6" fill="none" strokeWidth="6" />
      <circle cx="78" cy="29" r="4" fill="#c4122f" stroke="none" />
    </Drawing>
  )
}

export function PinDrawing() {
  return (
    <Drawing>
      <path d="m6 82 30-14 46 14 32-14v34l-32 12-46-12-30 12z" fill="#ffc400" />
      <path d="M36 68v34M82 82v32" fill="none" />
      <path d="M60 92Q28 58 28 38a32 32 0 0 1 64 0q0 20-32 54z" fill="#c4122f" />
      <path d="M60 56 46 43q-4-10 5-13 6 0 9 6 3-6 9-6 9 3 5 13z" fill="#fff" strokeWidth="3" />
    </Drawing>
  )
}

// Our illustration for the headline: a hand that raises a phone, from which sound comes.
const ink = '#1b1410'
const outline = { stroke: ink, strokeWidth: 7, strokeLinejoin: 'round', strokeLinecap: 'round' } as const

/** Points of a star with many spikes. */
function burst({ x, y, spikes, outer, inner }: { x: number; y: number; spikes: number; outer: number; inner: number }) {
  return Array.from({ length: spikes * 2 }, (_, index) => {
    const radius = index % 2 === 0 ? outer : inner
    const angle = (Math.PI * index) / spikes - Math.PI / 2
    return `${Math.round(x + radius * Math.cos(angle))},${Math.round(y + radius * Math.sin(angle))}`
  }).join(' ')
}

export function RaisedPhone() {
  return (
    <svg className="raised-phone" viewBox="0 0 440 520" aria-hidden="true">
      <polygon points={burst({ x: 220, y: 205, spikes: 18, outer: 205, inner: 160 })} fill="#ffc400" {...outline} />
      <path d="M150 520V415l-22-62 24-14 46 46h100l22-22v60l-18 26v71z" fill="#a5643c" {...outline} />
      <g transform="rotate(8 220 230)">
        <rect x="136" y="72" width="172" height="312" rx="22" fill={ink} {...outline} />
        <rect x="150" y="98" width="144" height="254" fill="#fff8ec" />
        <path d="M206 84h32" stroke="#fff8ec" strokeWidth="5" strokeLinecap="round" />
        <path d="M168 196v42h26l12 36h22l-10-36 54 26V166l-66 30z" fill="#c4122f" {...outline} strokeWidth={6} />
        <path d="M164 308h116M164 328h78" stroke={ink} strokeWidth="9" />
        <path d="M166 122h50v28h-26l-12 12v-12h-12z" fill="#0b6e4f" {...outline} strokeWidth={5} />
      </g>
      <g fill="none" stroke={ink} strokeWidth="11" strokeLinecap="round">
        <path d="M330 170q26 42 4 88" />
        <path d="M360 148q40 66 6 136" />
      </g>
      <g fill="#a5643c" {...outline}>
        <path d="M268 312q44-14 54 2t-38 26z" />
        <path d="M262 342q52-12 58 6t-44 26z" />
        <path d="M256 374q50-10 54 8t-44 24z" />
        <path d="M122 360q-22-56-8-104 6-18 22-10t8 34l22 76z" />
      </g>
      <path d="M128 470h188v50H128z" fill="#0b6e4f" {...outline} />
      <g {...outline} strokeWidth={5}>
        <path d="M20 60h92v52H64l-18 20v-20H20z" fill="#fff" />
        <path d="M38 80h56M38 94h36" fill="none" />
        <path d="M356 30h70v56h-22v20l-20-20h-28z" fill="#fff" />
        <path d="M391 74l-18-17q-4-10 6-13 8-1 12 7 4-8 12-7 10 3 6 13z" fill="#c4122f" strokeWidth={4} />
      </g>
    </svg>
  )
}

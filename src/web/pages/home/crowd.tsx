// Our illustration of a street full of people with placards, flags and raised phones. It shows no real person.
const ink = '#1b1410'
const shirts = ['#c4122f', '#0b6e4f', '#fff8ec', '#8e0b22', '#1b1410'] as const
const skins = ['#6b3f26', '#a5643c', '#d9a273', '#8a5231'] as const
const props = ['placard', 'none', 'none', 'phone', 'none', 'flag', 'none', 'heart'] as const
const people = Array.from({ length: 26 }, (_, index) => index)

/** Repeats the list without a visible pattern. */
const pick = <T,>(list: readonly T[], index: number, stride: number) => list[(index * stride) % list.length]

export function Crowd() {
  return (
    <svg className="crowd" viewBox="0 0 1560 260" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <g stroke={ink} strokeWidth="5" strokeLinejoin="round" strokeLinecap="round">
        {people.map((index) => (
          <Person key={`b${index}`} index={index * 7 + 4} x={index * 62 - 10} y={128 + ((index * 37) % 22)} />
        ))}
        {people.map((index) => (
          <Person key={`f${index}`} index={index * 7 + 1} x={index * 62 + 22} y={182 + ((index * 53) % 26)} />
        ))}
      </g>
    </svg>
  )
}

function Person({ index, x, y }: { index: number; x: number; y: number }) {
  const skin = pick(skins, index, 3)
  return (
    <g transform={`translate(${x} ${y})`}>
      <HeldItem item={pick(props, index, 1)} skin={skin} colour={index % 2 ? '#c4122f' : '#0b6e4f'} />
      <path d="M-34 150V62q0-26 34-26t34 26v88z" fill={pick(shirts, index, 2)} />
      <circle cy="12" r="23" fill={skin} />
      <path
        d={index % 3 ? 'M-23 10q0-25 23-25t23 25q-22-14-46 0z' : 'M-24 22q-6-40 24-40t24 40q-8-24-24-24t-24 24z'}
        fill={ink}
      />
    </g>
  )
}

function HeldItem({
  item,
  skin,
  colour,
}: {
  item: (typeof props)[number] | undefined
  skin: string | undefined
  colour: string
}) {
  if (!item || item === 'none') return null
  const arm = <path d="M24 66 34-28" stroke={skin} strokeWidth="15" />
  if (item === 'phone')
    return (
      <>
        {arm}
        <rect x="22" y="-70" width="28" height="46" rx="5" fill={ink} />
        <rect x="28" y="-63" width="16" height="30" fill="#fff8ec" stroke="none" />
      </>
    )
  if (item === 'flag')
    return (
      <>
        <path d="M30 60 34-112" strokeWidth="7" />
        <path d="M34-110q30-14 52 0t34 0v44q-20 12-42 0t-44 0z" fill={colour} />
      </>
    )
  return (
    <>
      <path d="M32 60V-40" strokeWidth="7" />
      <path d="M-14-104h92v62h-92z" fill="#fff" transform="rotate(-4 32 -70)" />
      {item === 'heart' ? (
        <path
          d="M32-48-2-79q-2-16 14-18 14 0 20 12 6-12 20-12 16 2 14 18z"
          transform="translate(10 -26) scale(.68)"
          fill="#c4122f"
        />
      ) : (
        <path d="M2-84h58M2-66h36" strokeWidth="8" stroke={colour} transform="rotate(-4 32 -70)" />
      )}
    </>
  )
}

// The drawings of the interface, ours, as paths that take the colour of the text.
interface IconProps {
  size?: number
}

function Icon({ size = 20, children }: IconProps & { children: React.ReactNode }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      {children}
    </svg>
  )
}

/** A megaphone in a speech balloon. */
export function Logo({ size = 36 }: IconProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true">
      <path d="M4 5h40v30H22l-9 9v-9H4z" fill="#c4122f" stroke="#1b1410" strokeWidth="3" strokeLinejoin="round" />
      <path d="M10 17v7h5l2 6h4l-2-6 12 5V12l-14 5z" fill="#fff8ec" />
      <path d="M34 16q4 4.5 0 9" fill="none" stroke="#ffc400" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}

export function WhatsAppIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path
        fillRule="evenodd"
        d="M12 2a10 10 0 0 0-8.6 15L2 22l5.2-1.300A10 10 0 1 0 12 2m-3.6 5c.3 0 .6 0 .8.500l.9 2c.1.3 0 .5-.1.700l-.8 1c.7 1.400 1.800 2.400 3.2 3l1-1.100c.2-.3.4-.3.7-.200l2 1c.4.2.4.5.3.9-.3 1.3-1.5 2-2.6 1.9-4-.5-7-3.6-7.3-7.1 0-1.2.8-2.5 1.9-2.6"
      />
    </Icon>
  )
}

export function TwitterIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M3 3h5.500l4.3 6L18 3h2.500l-6.6 7.600L21.5 21H16l-4.7-6.600L5.6 21H3l7.2-8.200zm3.5 1.800 10.400 14.400h1L7.5 4.800z" />
    </Icon>
  )
}

export function FacebookIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M14 22v-8.500h3l.6-3.800H14V7.600c0-1.100.5-1.900 2-1.900h1.800V2.300Q16.600 2 15.200 2C12 2 10 3.900 10 7.200v2.500H6.600v3.800H10V22z" />
    </Icon>
  )
}

export function InstagramIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path
        fillRule="evenodd"
        d="M8 2h8a6 6 0 0 1 6 6v8a6 6 0 0 1-6 6H8a6 6 0 0 1-6-6V8a6 6 0 0 1 6-6m0 2.200A3.800 3.800 0 0 0 4.200 8v8A3.800 3.800 0 0 0 8 19.800h8a3.800 3.800 0 0 0 3.800-3.800V8A3.800 3.800 0 0 0 16 4.200zM12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10m0 2.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600M17.300 5.500a1.300 1.300 0 1 1 0 2.600 1.300 1.300 0 0 1 0-2.600"
      />
    </Icon>
  )
}

export function LinkIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M10.500 7H7a5 5 0 0 0 0 10h3.500v-2.600H7a2.400 2.400 0 0 1 0-4.800h3.500zM8 10.700h8v2.600H8zM13.500 7v2.600H17a2.400 2.400 0 0 1 0 4.800h-3.500V17H17a5 5 0 0 0 0-10z" />
    </Icon>
  )
}

export function DownloadIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M10.500 3h3v8.500H18L12 18l-6-6.500h4.500zM4 19h16v2.500H4z" />
    </Icon>
  )
}

export function MenuIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M3 5h18v3H3zm0 5.500h18v3H3zM3 16h18v3H3z" />
    </Icon>
  )
}

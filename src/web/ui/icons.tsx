// Our own icons, as SVG paths in the colour of the text.
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
        d="M12 2a10 10 0 0 0-8.6 15L2 22l5.2-1.3A10 10 0 1 0 12 2m-3.6 5c.3 0 .6 0 .8.5l.9 2c.1.3 0 .5-.1.7l-.8 1c.7 1.4 1.8 2.4 3.2 3l1-1.1c.2-.3.4-.3.7-.2l2 1c.4.2.4.5.3.9-.3 1.3-1.5 2-2.6 1.9-4-.5-7-3.6-7.3-7.1 0-1.2.8-2.5 1.9-2.6"
      />
    </Icon>
  )
}

export function TwitterIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M3 3h5.5l4.3 6L18 3h2.5l-6.6 7.6L21.5 21H16l-4.7-6.6L5.6 21H3l7.2-8.2zm3.5 1.8 10.4 14.4h1L7.5 4.8z" />
    </Icon>
  )
}

export function FacebookIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M14 22v-8.5h3l.6-3.8H14V7.6c0-1.1.5-1.9 2-1.9h1.8V2.3Q16.6 2 15.2 2C12 2 10 3.9 10 7.2v2.5H6.6v3.8H10V22z" />
    </Icon>
  )
}

export function InstagramIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path
        fillRule="evenodd"
        d="M8 2h8a6 6 0 0 1 6 6v8a6 6 0 0 1-6 6H8a6 6 0 0 1-6-6V8a6 6 0 0 1 6-6m0 2.2A3.8 3.8 0 0 0 4.2 8v8A3.8 3.8 0 0 0 8 19.8h8a3.8 3.8 0 0 0 3.8-3.8V8A3.8 3.8 0 0 0 16 4.2zM12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10m0 2.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M17.3 5.5a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6"
      />
    </Icon>
  )
}

export function LinkIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M10.5 7H7a5 5 0 0 0 0 10h3.5v-2.6H7a2.4 2.4 0 0 1 0-4.8h3.5zM8 10.7h8v2.6H8zM13.5 7v2.6H17a2.4 2.4 0 0 1 0 4.8h-3.5V17H17a5 5 0 0 0 0-10z" />
    </Icon>
  )
}

export function DownloadIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M10.5 3h3v8.5H18L12 18l-6-6.5h4.5zM4 19h16v2.5H4z" />
    </Icon>
  )
}

export function MenuIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M3 5h18v3H3zm0 5.5h18v3H3zM3 16h18v3H3z" />
    </Icon>
  )
}

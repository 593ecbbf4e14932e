// Stroke icons of the admin area, drawn for it. An icon stands beside a word, never instead of it.
interface IconProps {
  size?: number
}

export type IconComponent = (props: IconProps) => React.ReactNode

/** An icon of one path on a grid of 24. */
function icon(path: string): IconComponent {
  return ({ size = 20 }) => (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  )
}

// Places
export const DashboardIcon = icon('M3 3h8v9H3zM13 3h8v5h-8zM13 11h8v10h-8zM3 15h8v6H3z')
export const CampaignIcon = icon('M3 10v5h4l9 5V5l-9 5zM7 15l1.5 6H12l-1-4M19.5 9.5q2 3 0 6')
export const ContentsIcon = icon('M4 3h16v18H4zM4 16l5-5 4 4 3-3 4 4M15.5 7.5h.01')
export const NewsIcon = icon(
  'M3 4h14v13.5a2.5 2.5 0 0 0 2.5 2.5H5.5A2.5 2.5 0 0 1 3 17.5zM17 9h5v8.5a2.5 2.5 0 0 1-2.5 2.5M6.5 8h7M6.5 12h7M6.5 16h4.5',
)
export const NumbersIcon = icon('M3 21h18M5 21v-7h3v7M10.5 21V9h3v12M16 21V4h3v17')
export const PeopleIcon = icon(
  'M9 11.5A3.75 3.75 0 1 0 9 4a3.75 3.75 0 0 0 0 7.5M2 20c.5-3.5 3-5.5 7-5.5s6.5 2 7 5.5M16 4.3a3.75 3.75 0 0 1 0 7M18 14.8c2.3.7 3.7 2.5 4 5.2',
)
export const ConversationIcon = icon('M3 4h18v13h-8l-5 4v-4H3zM7.5 9h9M7.5 12.5h5.5')
export const SiteIcon = icon('M3 4h18v16H3zM3 9h18M6.5 6.5h.01M9.5 6.5h.01M7 13h10M7 16.5h6')
export const TeamIcon = icon(
  'M5 4h14v17H5zM9 2h6v4H9zM12 13.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5M8.5 18c.5-1.5 1.7-2.2 3.5-2.2s3 .7 3.5 2.2',
)
export const AccountIcon = icon('M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 20.5c.8-4 3.8-6 8-6s7.2 2 8 6')
export const AuditLogIcon = icon('M5 3h10l4 4v14H5zM15 3v4h4M9 11h6M9 14.5h6M9 18h3.5')
export const SystemIcon = icon('M2 12.5h4.5L9.5 4l5 16 3-7.5H22')

// Kinds of people
export const SignatureIcon = icon(
  'M3 20.5h18M4 16c3-7 6-11 7.5-10.5S9 15 8.5 16c2-3 3.5-4 4.5-4s-.5 3.5.5 3.8c1.3.4 3.5-1.8 6-3.8',
)
export const VolunteerIcon = icon(
  'M12 20.5 4 12.7a4.8 4.8 0 0 1 0-6.9 5 5 0 0 1 7 0l1 1 1-1a5 5 0 0 1 7 0 4.8 4.8 0 0 1 0 6.9z',
)
export const InfluencerIcon = icon('m12 3 2.7 5.8 6.3.8-4.6 4.3 1.2 6.3L12 17.1l-5.6 3.1 1.2-6.3L3 9.6l6.3-.8z')
export const LeaderIcon = icon('M5 21V3.5M5 4h14l-3.5 5L19 14H5')

// Actions
export const AddIcon = icon('M12 4v16M4 12h16')
export const BackIcon = icon('M11 5 4 12l7 7M4 12h16')
export const CloseIcon = icon('m5 5 14 14M19 5 5 19')
export const CopyIcon = icon('M8 8h12v13H8zM8 16H4V3h12v5')
export const DownloadIcon = icon('M12 3v12M7 10.5l5 5 5-5M4 20.5h16')
export const EditIcon = icon('M4 20l1-5L16.5 3.5l4 4L9 19zM14 6l4 4')
export const ExternalIcon = icon('M13 4h7v7M20 4l-9 9M18 14v6H4V6h6')
export const ForwardIcon = icon('m13 5 7 7-7 7M20 12H4')
export const LinkIcon = icon(
  'M10 14a4 4 0 0 0 6 0l3.5-3.5a4 4 0 0 0-6-6L12 6M14 10a4 4 0 0 0-6 0l-3.5 3.5a4 4 0 0 0 6 6L12 18',
)
export const LogOutIcon = icon('M14 4H5v16h9M17 8l4 4-4 4M21 12h-9')
export const MenuIcon = icon('M4 6h16M4 12h16M4 18h16')
export const RemoveIcon = icon('M4 6.5h16M9 6V3h6v3M6 6.5 7 21h10l1-14.5M10 10.5v6.5M14 10.5v6.5')
export const RestoreIcon = icon('M4 4v5.5h5.5M4.5 9.5A8.5 8.5 0 1 1 3.5 14')
export const SaveIcon = icon('M4 3h13l3 3v15H4zM8 3v6h8V3M8 21v-7h8v7')
export const SearchIcon = icon('M10.5 18a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15M16 16l5 5')
export const SendIcon = icon('M3 11 21 3l-8 18-3-7.5zM10 13.5 21 3')

// Facts and states
export const AlertIcon = icon('M12 3 1.5 21h21zM12 10v5M12 18h.01')
export const CalendarIcon = icon('M3 5h18v16H3zM3 10h18M8 2.5V7M16 2.5V7')
export const CheckIcon = icon('m4 12.5 5.5 5.5L20 6.5')
export const EmailIcon = icon('M3 5h18v14H3zM3 6.5l9 7 9-7')
export const EmptyIcon = icon('M3 13 6 4h12l3 9v7H3zM3 13h5.5c0 2 1.5 3 3.5 3s3.5-1 3.5-3H21')
export const SettingsIcon = icon(
  'M3 7h10M19 7h2M16 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6M3 17h2M11 17h10M8 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
)
export const TrophyIcon = icon(
  'M7 3h10v7a5 5 0 0 1-10 0zM7 5H3c0 4 1.5 6 4.5 6M17 5h4c0 4-1.5 6-4.5 6M12 15v4M7.5 21h9',
)

/** Our icons: 24 px, in the text's colour, hidden from assistive technology (a text always accompanies them). */
import type { ReactNode, SVGProps } from 'react'

type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & { size?: number }

function IconShape({ size = 20, children, ...rest }: IconProps & { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      focusable="false"
      {...rest}
    >
      {children}
    </svg>
  )
}

export const ChevronLeft = (props: IconProps) => (
  <IconShape {...props}>
    <path d="m14.5 6-6 6 6 6" />
  </IconShape>
)
export const ChevronRight = (props: IconProps) => (
  <IconShape {...props}>
    <path d="m9.5 6 6 6-6 6" />
  </IconShape>
)
export const ChevronDown = (props: IconProps) => (
  <IconShape {...props}>
    <path d="m6 9.5 6 6 6-6" />
  </IconShape>
)
/** A month's sheet with today on it. */
export const CalendarNow = (props: IconProps) => (
  <IconShape {...props}>
    <rect x="3.5" y="5" width="17" height="15.5" rx="2.5" />
    <path d="M3.5 9.8h17M8 3v3.5M16 3v3.5" />
    <circle cx="12" cy="15" r="1.6" fill="currentColor" />
  </IconShape>
)
export const Calendar = (props: IconProps) => (
  <IconShape {...props}>
    <rect x="3.5" y="5" width="17" height="15.5" rx="2.5" />
    <path d="M3.5 9.8h17M8 3v3.5M16 3v3.5" />
  </IconShape>
)
export const Plus = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M12 5v14M5 12h14" />
  </IconShape>
)
/** Waves around a point: for what arrives without a press. */
export const Live = (props: IconProps) => (
  <IconShape {...props}>
    <circle cx="12" cy="12" r="2" fill="currentColor" />
    <path d="M8.2 15.8a5.4 5.4 0 0 1 0-7.6M15.8 8.2a5.4 5.4 0 0 1 0 7.6M5.4 18.6a9.3 9.3 0 0 1 0-13.2M18.6 5.4a9.3 9.3 0 0 1 0 13.2" />
  </IconShape>
)
export const Refresh = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M20 11a8 8 0 0 0-14.3-4L3.5 9.3" />
    <path d="M3.5 4.5v4.8h4.8" />
    <path d="M4 13a8 8 0 0 0 14.3 4l2.2-2.3" />
    <path d="M20.5 19.5v-4.8h-4.8" />
  </IconShape>
)
export const Menu = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M4 7h16M4 12h16M4 17h16" />
  </IconShape>
)
export const Close = (props: IconProps) => (
  <IconShape {...props}>
    <path d="m6 6 12 12M18 6 6 18" />
  </IconShape>
)
export const Alert = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M12 4 2.8 19.5h18.4z" />
    <path d="M12 10v4.2M12 17.2v.1" />
  </IconShape>
)
export const Info = (props: IconProps) => (
  <IconShape {...props}>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5M12 7.8v.1" />
  </IconShape>
)
export const Offline = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M7.5 18.5a4.5 4.5 0 0 1-.8-8.9M10 6.6a6 6 0 0 1 8.2 5.1 3.5 3.5 0 0 1 2.1 5.6" />
    <path d="m4 4 16 16" />
  </IconShape>
)
export const Clock = (props: IconProps) => (
  <IconShape {...props}>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5l3.2 2" />
  </IconShape>
)
export const Moon = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z" />
  </IconShape>
)
export const Layers = (props: IconProps) => (
  <IconShape {...props}>
    <rect x="4" y="4" width="12" height="12" rx="2" />
    <path d="M20 9v9a2 2 0 0 1-2 2H9" />
  </IconShape>
)
export const Cup = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M5 9h11v6a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4z" />
    <path d="M16 10.5h1.5a2.5 2.5 0 0 1 0 5H16M9 3.5v2M12.5 3.5v2" />
  </IconShape>
)
export const Question = (props: IconProps) => (
  <IconShape {...props}>
    <circle cx="12" cy="12" r="9" />
    <path d="M9.6 9.5a2.5 2.5 0 1 1 3.5 2.4c-.7.3-1.1.8-1.1 1.6M12 16.6v.1" />
  </IconShape>
)
export const Enter = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M13 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4" />
    <path d="M4 12h10m-4-4 4 4-4 4" />
  </IconShape>
)
export const Leave = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M11 4H7a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4" />
    <path d="M10 12h10m-4-4 4 4-4 4" />
  </IconShape>
)
export const Swap = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M4 9h14m-3.5-3.5L18 9l-3.5 3.5" />
    <path d="M20 15.5H6m3.5-3.5L6 15.5 9.5 19" />
  </IconShape>
)
export const Inbox = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M12 4v9m-3.5-3.5L12 13l3.5-3.5" />
    <path d="M4 14v4a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-4" />
  </IconShape>
)
export const Pencil = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4" />
  </IconShape>
)
export const Dots = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M5.5 12h.01M12 12h.01M18.5 12h.01" strokeWidth="3.2" />
  </IconShape>
)
export const Person = (props: IconProps) => (
  <IconShape {...props}>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20a7.5 7.5 0 0 1 15 0" />
  </IconShape>
)
export const Check = (props: IconProps) => (
  <IconShape {...props}>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </IconShape>
)
export const Chip = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M6.5 9a7 7 0 0 1 0 6M10.5 6.5a12.5 12.5 0 0 1 0 11M14.5 4a18 18 0 0 1 0 16" />
  </IconShape>
)
/** A hand that holds a chip to a reader; wider than the others. */
export const HoldChip = (props: IconProps) => (
  <IconShape viewBox="0 0 46 30" strokeWidth="1.8" {...props}>
    <path d="M3 4v22" strokeWidth="2.6" />
    <path d="M7.5 12.2a5 5 0 0 1 0 5.6M11 9.5a9.5 9.5 0 0 1 0 11" />
    <path d="M28 21.5h-9.5A2.5 2.5 0 0 1 16 19V8a2.5 2.5 0 0 1 2.5-2.5h13A2.5 2.5 0 0 1 34 8v2.6" />
    <path d="M44.5 6.5h-3a7 7 0 0 0-4.5 1.6l-3 2.5-8.3 1.5a2.2 2.2 0 0 0 .7 4.3l9.3-.9a2.4 2.4 0 0 1 0 4.6h-4.2a2.3 2.3 0 0 0 0 4.6h13" />
  </IconShape>
)
export const Backspace = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M9 5h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-6-7z" />
    <path d="m12 9.5 5 5m0-5-5 5" />
  </IconShape>
)
export const Copy = (props: IconProps) => (
  <IconShape {...props}>
    <rect x="8.5" y="8.5" width="12" height="12" rx="2.5" />
    <path d="M15.5 8.5V6A2.5 2.5 0 0 0 13 3.5H6A2.5 2.5 0 0 0 3.5 6v7A2.5 2.5 0 0 0 6 15.5h2.5" />
  </IconShape>
)
export const Building = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M5 20.5V5.5a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v15M15 9.5h2a2 2 0 0 1 2 2v9M3 20.5h18" />
    <path d="M8.5 7.5h3M8.5 11.5h3M8.5 15.5h3" />
  </IconShape>
)
export const BuildingPlus = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M4 20.5V6a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v4M3 20.5h9" />
    <path d="M7.5 8h3M7.5 12h3M7.5 16h3M18 13.5v7M14.5 17h7" />
  </IconShape>
)
export const People = (props: IconProps) => (
  <IconShape {...props}>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M2.5 20a6.5 6.5 0 0 1 13 0M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 14.6a6.5 6.5 0 0 1 3.5 5.4" />
  </IconShape>
)
export const Key = (props: IconProps) => (
  <IconShape {...props}>
    <circle cx="8" cy="15.5" r="4.5" />
    <path d="m11.3 12.2 8.2-8.2M16 7.5l3 3M13.5 10l2 2" />
  </IconShape>
)
export const Lock = (props: IconProps) => (
  <IconShape {...props}>
    <rect x="4.5" y="10.5" width="15" height="10" rx="2.5" />
    <path d="M8 10.5V7.5a4 4 0 0 1 8 0v3" />
  </IconShape>
)
export const Unlock = (props: IconProps) => (
  <IconShape {...props}>
    <rect x="4.5" y="10.5" width="15" height="10" rx="2.5" />
    <path d="M8 10.5V7.5a4 4 0 0 1 7.6-1.7" />
  </IconShape>
)
export const Shield = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M12 3.5 5 6v5.5c0 4.3 2.9 7.6 7 9 4.1-1.4 7-4.7 7-9V6z" />
  </IconShape>
)
export const ShieldOff = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M12 3.5 5 6v5.5c0 4.3 2.9 7.6 7 9 4.1-1.4 7-4.7 7-9V6z" />
    <path d="M4 3.5 20 20.5" />
  </IconShape>
)
export const Trash = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M4 6.5h16M9.5 6.5V4h5v2.5M6.5 6.5l1 14h9l1-14M10.3 10.5v6M13.7 10.5v6" />
  </IconShape>
)
export const Printer = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M7 8V3.5h10V8M7 17H5.5a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h13a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H17" />
    <path d="M7 14h10v6.5H7z" />
  </IconShape>
)
export const Search = (props: IconProps) => (
  <IconShape {...props}>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </IconShape>
)
export const Dice = (props: IconProps) => (
  <IconShape {...props}>
    <rect x="4" y="4" width="16" height="16" rx="3.5" />
    <path d="M8.7 8.7h.01M15.3 8.7h.01M12 12h.01M8.7 15.3h.01M15.3 15.3h.01" strokeWidth="2.8" />
  </IconShape>
)
/** Days off. */
export const Sun = (props: IconProps) => (
  <IconShape {...props}>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v1.8M12 19.2V21M3 12h1.8M19.2 12H21M5.6 5.6l1.3 1.3M17.1 17.1l1.3 1.3M5.6 18.4l1.3-1.3M17.1 6.9l1.3-1.3" />
  </IconShape>
)
/** Ill. */
export const Thermometer = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M9 13.6V6a3 3 0 0 1 6 0v7.6a4.5 4.5 0 1 1-6 0z" />
    <path d="M12 9.5v6" />
    <circle cx="12" cy="17" r="1.4" fill="currentColor" />
  </IconShape>
)
export const Upload = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M12 15V5m-4 4 4-4 4 4" />
    <path d="M4 14.5V18a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3.5" />
  </IconShape>
)
/** A written page. */
export const Scroll = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M7 3.5h8l4 4v11a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2z" />
    <path d="M14.5 3.5V8H19M8.5 12h7M8.5 16h5" />
  </IconShape>
)
/** Two pans: what is due, and what was done. */
export const Scale = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M12 4v16M8 20h8M5 7.5 12 6l7 1.5" />
    <path d="m5 7.5-2.5 6a2.6 2.6 0 0 0 5 0zM19 7.5l-2.5 6a2.6 2.6 0 0 0 5 0z" />
  </IconShape>
)
/** An arrow onto a line: what is kept as a file. */
export const Download = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M12 3.5v11M7.5 10.5 12 15l4.5-4.5M4.5 20h15" />
  </IconShape>
)
/** A battery with its bars. */
export const Battery = (props: IconProps) => (
  <IconShape {...props}>
    <rect x="3" y="7.5" width="15.5" height="9" rx="2.5" />
    <path d="M21.3 10.5v3M6.7 10.5v3M10 10.5v3M13.3 10.5v3" />
  </IconShape>
)
/** A basket for what one would like to have. */
export const Basket = (props: IconProps) => (
  <IconShape {...props}>
    <path d="M3.5 9.5h17l-1.6 8.6a2 2 0 0 1-2 1.6H7.1a2 2 0 0 1-2-1.6zM8 9.5 11 4M16 9.5 13 4" />
  </IconShape>
)

/** The logo: a clock's ring struck through by a tick, with the name. */
import classes from './Logo.module.css'

export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg aria-hidden="true" focusable="false" width={size} height={size} viewBox="0 0 32 32">
      <rect width="32" height="32" rx="9" fill="var(--sw-accent)" />
      <path
        d="M21.9 8.4a9.4 9.4 0 1 0 3 4.6"
        fill="none"
        stroke="var(--sw-on-accent)"
        strokeWidth="2.8"
        strokeLinecap="round"
      />
      <path
        d="m11.6 15.4 4.2 4.2 8.6-10.4"
        fill="none"
        stroke="var(--sw-on-accent)"
        strokeWidth="2.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

export function Logo({ name }: { name: string }) {
  return (
    <span className={classes.logo}>
      <Mark />
      <span>{name}</span>
    </span>
  )
}

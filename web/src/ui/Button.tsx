/**
 * Our button: `primary` (orange, one per view), `secondary` (a line), `plain` (text only), `danger` (berry, with an
 * icon: for what cannot be undone). A busy button keeps the focus and ignores presses.
 */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import classes from './Button.module.css'

interface Common extends ComponentProps<'button'> {
  busy?: boolean
  wide?: boolean
}

/** Danger needs an icon, since colour must not be its only sign. */
export type ButtonProps =
  | (Common & { look?: 'primary' | 'secondary' | 'plain'; icon?: ReactNode })
  | (Common & { look: 'danger'; icon: ReactNode })

export function Button({
  look = 'secondary',
  busy = false,
  icon,
  wide = false,
  className = '',
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      onClick={press}
      className={`${classes.button} ${classes[look] ?? ''} ${wide ? classes.wide : ''} ${className}`}
    >
      {busy ? <Busy icon={icon}>{children}</Busy> : icon}
      {!busy && children}
    </button>
  )
}

/** The spinner takes the place of the icon, or else of the text, so the button keeps its width and nothing moves. */
function Busy({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  const spinner = <span className={classes.spinner} aria-hidden="true" />
  return icon === undefined ? (
    <>
      {spinner}
      <span className={classes.hidden}>{children}</span>
    </>
  ) : (
    <>
      <span className={classes.place}>
        {spinner}
        <span className={classes.hidden}>{icon}</span>
      </span>
      {children}
    </>
  )
}

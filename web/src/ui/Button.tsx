/**
 * Our button: `primary` (orange, one a view), `secondary` (a line), `plain` (words alone), `danger` (berry, with an icon:
 * what cannot be taken back). A busy one keeps the focus and takes no second press.
 */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import classes from './Button.module.css'

interface Common extends ComponentProps<'button'> {
  busy?: boolean
  wide?: boolean
}

/** Danger is never said by a colour alone. */
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

/** In the place of the icon, or else of the words: the button is as wide as before, and nothing moves beside it. */
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

/** Our button: `primary` (orange, one a view), `secondary` (a line), `plain` (words alone). A busy one keeps the focus and takes no second press. */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import classes from './Button.module.css'

export interface ButtonProps extends ComponentProps<'button'> {
  look?: 'primary' | 'secondary' | 'plain'
  busy?: boolean
  icon?: ReactNode
  wide?: boolean
}

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
      {busy ? <span className={classes.spinner} aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}

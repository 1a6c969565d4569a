/** What stands on paper instead of the page, while this is mounted (base.css). On the screen it is not seen. */
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import classes from './Printed.module.css'

export function Printed({ children }: { children: ReactNode }) {
  return createPortal(
    <div className={classes.sheet} data-paper aria-hidden="true">
      {children}
    </div>,
    document.body,
  )
}

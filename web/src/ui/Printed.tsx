/** Content that replaces the page on paper while it is mounted (base.css). The screen does not show it. */
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

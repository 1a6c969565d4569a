/**
 * A table in a frame, for wide windows: its head stays below the navigation bar. Its caption is for screen readers,
 * since the page shows the same text.
 */
import type { ReactNode } from 'react'
import classes from './Table.module.css'

interface TableProps {
  caption: string
  /** May set `--row`, the padding above and below a row's content. */
  className?: string | undefined
  /** How many rows there are, heads included, where not all of them are in the document. */
  rowCount?: number
  children: ReactNode
}

export function Table({ caption, className = '', rowCount, children }: TableProps) {
  return (
    <div className={classes.frame}>
      <table className={`${classes.table} ${className}`} aria-rowcount={rowCount}>
        <caption className="visually-hidden">{caption}</caption>
        {children}
      </table>
    </div>
  )
}

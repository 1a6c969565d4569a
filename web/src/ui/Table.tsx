/** A table in a frame, for wide windows. Its caption is for ears alone: the page around it says the same. */
import type { ReactNode } from 'react'
import classes from './Table.module.css'

interface TableProps {
  caption: string
  /** May set `--row`, the space above and below what a row says. */
  className: string | undefined
  children: ReactNode
}

export function Table({ caption, className = '', children }: TableProps) {
  return (
    <div className={classes.frame}>
      <table className={`${classes.table} ${className}`}>
        <caption className="visually-hidden">{caption}</caption>
        {children}
      </table>
    </div>
  )
}

/** One matter of the page: a heading, perhaps a badge beside it, and what belongs to it. */
import { type ReactNode, useId } from 'react'
import classes from './Card.module.css'

interface CardProps {
  title: string
  lead?: string
  badge?: ReactNode
  children: ReactNode
}

export function Card({ title, lead, badge, children }: CardProps) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.header}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {badge}
      </div>
      {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      {children}
    </section>
  )
}

/** A page's frame: its title (also the document's), the actions next to it, and its content. */
import { type ReactNode, useContext, useEffect } from 'react'
import { BRAND } from './brand'
import { TitledContext } from './named'
import classes from './PageFrame.module.css'

export function useTitle(title: string) {
  const isTitled = useContext(TitledContext)
  useEffect(() => {
    if (!isTitled) document.title = title === BRAND ? BRAND : `${title} · ${BRAND}`
  }, [title, isTitled])
}

interface PageFrameProps {
  title: string
  lead?: string
  actions?: ReactNode
  children: ReactNode
}

export function PageFrame({ title, lead, actions, children }: PageFrameProps) {
  useTitle(title)
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div>
          <h1 className={classes.title}>{title}</h1>
          {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

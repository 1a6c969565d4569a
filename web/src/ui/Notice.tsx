/** A box with an icon and words: for errors in place, for news, for being offline. Never colour alone. */
import type { ReactNode } from 'react'
import { Alert, Info, Offline } from './icons'
import classes from './Notice.module.css'
import { texts } from './texts'

interface NoticeProps {
  tone?: 'error' | 'info'
  live?: 'assertive' | 'polite'
  title?: string | undefined
  children?: ReactNode
  action?: ReactNode
}

export function Notice({ tone = 'info', live, title, children, action }: NoticeProps) {
  const role = live === 'assertive' ? 'alert' : live === 'polite' ? 'status' : undefined
  const Icon = tone === 'error' ? Alert : Info
  return (
    <div className={`${classes.notice} ${classes[tone] ?? ''}`} role={role}>
      <Icon className={classes.icon} />
      <div className={classes.words}>
        {title !== undefined && <p className={classes.title}>{title}</p>}
        {children}
      </div>
      {action}
    </div>
  )
}

/** Says that the server is out of reach, and how old is what is shown. */
export function OfflineBanner({ asOf }: { asOf: string | null }) {
  return (
    <div className={`${classes.notice} ${classes.offline}`} role="status">
      <Offline className={classes.icon} />
      <div className={classes.words}>
        <span className={classes.title}>{texts.offline}</span>{' '}
        {asOf !== null && <span>{texts.asOf(asOf)}</span>}
      </div>
    </div>
  )
}

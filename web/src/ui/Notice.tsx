/** A box with an icon and text: for inline errors, news and being offline. Colour is never the only sign. */
import type { ReactNode } from 'react'
import { Alert, Check, Info, Offline } from './icons'
import classes from './Notice.module.css'
import { texts } from './texts'

interface NoticeProps {
  tone?: 'error' | 'info' | 'done'
  live?: 'assertive' | 'polite'
  title?: string | undefined
  children?: ReactNode
  action?: ReactNode
}

const ICONS = { error: Alert, info: Info, done: Check } as const

export function Notice({ tone = 'info', live, title, children, action }: NoticeProps) {
  const role = live === 'assertive' ? 'alert' : live === 'polite' ? 'status' : undefined
  const Icon = ICONS[tone]
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

/** The error, and the service's explanation. */
export interface Failure {
  title: string
  detail: string
}

export function ErrorNotice({ failure }: { failure: Failure | null }) {
  if (failure === null) return null
  return (
    <Notice tone="error" live="assertive" title={failure.title}>
      {failure.detail !== failure.title && <p>{failure.detail}</p>}
    </Notice>
  )
}

interface OfflineBannerProps {
  /** What is unreachable: the device's network, or only the server. */
  outage: 'network' | 'server'
  asOf: string | null
  consequence?: string
}

/** Says what is out of reach, and how old is what is shown. */
export function OfflineBanner({ outage, asOf, consequence }: OfflineBannerProps) {
  return (
    <div className={`${classes.notice} ${classes.offline}`} role="status">
      <Offline className={classes.icon} />
      <div className={classes.words}>
        <span className={classes.title}>{outage === 'network' ? texts.noNetwork : texts.offline}</span>{' '}
        {asOf !== null && <span>{texts.asOf(asOf)} </span>}
        {consequence !== undefined && <span>{consequence}</span>}
      </div>
    </div>
  )
}

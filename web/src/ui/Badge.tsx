/** A short label with an icon. Those with an explanation are buttons that show it below, one at a time. */
import { type ReactNode, useId, useState } from 'react'
import classes from './Badge.module.css'

export type Tone = 'in' | 'warn' | 'note'

interface BadgeProps {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
}

export function Badge({ tone = 'note', icon, children }: BadgeProps) {
  return (
    <span className={`${classes.badge} ${classes[tone] ?? ''}`}>
      {icon}
      {children}
    </span>
  )
}

export interface Explained {
  key: string
  label: string
  tone: Tone
  icon: ReactNode
  explanation: string
}

export function ExplainedBadges({ badges }: { badges: readonly Explained[] }) {
  const [shown, show] = useState<string | null>(null)
  const id = useId()
  const open = badges.find(({ key }) => key === shown)
  return (
    <>
      <ul className={classes.list}>
        {badges.map(({ key, label, tone, icon }) => (
          <li key={key}>
            <button
              type="button"
              className={classes.explained}
              aria-expanded={key === shown}
              aria-controls={key === shown ? id : undefined}
              onClick={() => show(key === shown ? null : key)}
            >
              <Badge tone={tone} icon={icon}>
                {label}
              </Badge>
            </button>
          </li>
        ))}
      </ul>
      <p id={id} className={classes.explanation} role="status">
        {open?.explanation}
      </p>
    </>
  )
}

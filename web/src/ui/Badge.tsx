/** A short label with an icon. With an explanation it is a button that shows it, for finger, mouse and keyboard alike. */
import '@mantine/core/styles/Popover.layer.css'
import { Popover } from '@mantine/core'
import { type ReactNode, useState } from 'react'
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

export function ExplainedBadge({ explanation, ...badge }: BadgeProps & { explanation: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Popover opened={open} onChange={setOpen} width={300} withArrow arrowSize={10} shadow="md" withinPortal>
      <Popover.Target>
        <button
          type="button"
          className={classes.explained}
          onClick={() => setOpen(!open)}
          onKeyDown={event => {
            if (event.key === 'Escape') setOpen(false)
          }}
        >
          <Badge {...badge} />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.explanation}>{explanation}</Popover.Dropdown>
    </Popover>
  )
}

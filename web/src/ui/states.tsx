/** Placeholders for a page without content: a skeleton after 150 ms, an empty state, an error in place. */
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from './Button'
import { useFocusPassedOn } from './focus'
import { Alert, Refresh } from './icons'
import classes from './states.module.css'
import { texts } from './texts'

export const SKELETON_DELAY_MS = 150

/** Shows its children only once it has been there for a moment, so that quick answers do not flicker. */
export function Delayed({ children, ms = SKELETON_DELAY_MS }: { children: ReactNode; ms?: number }) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return due ? children : null
}

/** Bars in the shape of what is coming. */
export function Skeleton({ width = '100%', height = 16 }: { width?: string | number; height?: number }) {
  return <span className={classes.bar} style={{ width, height }} aria-hidden="true" />
}

/** As many bars below each other, each so high. */
export function SkeletonRows({ rows = 4, height = 56 }: { rows?: number; height?: number }) {
  return (
    <div className={classes.bars}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={row} height={height} />
      ))}
    </div>
  )
}

export function Loading({ children }: { children: ReactNode }) {
  return (
    <Delayed>
      <div role="status">
        <span className="visually-hidden">{texts.loading}</span>
        {children}
      </div>
    </Delayed>
  )
}

/** The shape of any page whose own shape is not known yet. */
export function PageSkeleton() {
  return (
    <Loading>
      <div className={classes.page}>
        <Skeleton width={220} height={32} />
        <Skeleton width="60%" height={18} />
        <Skeleton height={160} />
      </div>
    </Loading>
  )
}

interface EmptyStateProps {
  picture?: ReactNode
  sentence: string
  action?: ReactNode
}

/** One sentence, one action. */
export function EmptyState({ picture, sentence, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {picture !== undefined && <div className={classes.picture}>{picture}</div>}
      <p>{sentence}</p>
      {action}
    </div>
  )
}

interface ErrorStateProps {
  title: string
  detail?: string | undefined
  busy?: boolean
  /** The button's label, where it does something other than retry. */
  retry?: string
  onRetry: () => void
}

export function ErrorState({ title, detail, busy = false, retry = texts.retry, onRetry }: ErrorStateProps) {
  const id = useId()
  const box = useFocusPassedOn<HTMLElement>()
  return (
    <section ref={box} className={classes.error} role="alert" aria-labelledby={id}>
      <span className={classes.errorIcon}>
        <Alert size={24} />
      </span>
      <div>
        <p className={classes.errorTitle} id={id}>
          {title}
        </p>
        {detail !== undefined && detail !== title && <p className={classes.errorDetail}>{detail}</p>}
      </div>
      <Button icon={<Refresh size={18} />} busy={busy} onClick={onRetry}>
        {retry}
      </Button>
    </section>
  )
}

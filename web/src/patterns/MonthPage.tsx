/**
 * A page about one month, given by its address: its title, the way to other months, whether it is live or how old it
 * is, and the line on paper.
 *
 * - month, onMonth: from `useMonthInAddress()`
 * - live, savedAt: of the read: whether it is live; when the service answered, in milliseconds, or null without an
 *   answer
 * - exports: an `Export`, next to the month
 * - printed: (month, moment) the line on paper, instead of the way to other months
 * - the props of `Page`: title, lead, actions, offline
 */
import type { ReactNode } from 'react'
import { useReachable } from '../api/connectivity'
import { momentOf, timeOf } from '../ui/days'
import { Live } from '../ui/icons'
import { Toolbar } from '../ui/layout'
import { MonthPicker } from '../ui/MonthPicker'
import { monthName } from '../ui/months'
import { texts as uiTexts } from '../ui/texts'
import { useNow } from '../ui/useNow'
import classes from './MonthPage.module.css'
import { Page, type PageProps } from './Page'
import { texts } from './texts'

interface MonthPageProps extends Omit<PageProps, 'asOf'> {
  month: string
  onMonth: (month: string) => void
  live?: boolean
  savedAt?: number | null
  exports?: ReactNode
  printed?: (month: string, moment: string) => string
}

export function MonthPage({
  month,
  onMonth,
  live = false,
  savedAt = null,
  exports,
  printed,
  children,
  ...page
}: MonthPageProps) {
  const now = useNow(30_000)
  return (
    <Page {...page} asOf={savedAt}>
      {printed !== undefined && (
        <p className={classes.printed}>{printed(monthName(month), uiTexts.clock(momentOf(now)))}</p>
      )}
      <Toolbar>
        <MonthPicker month={month} onChange={onMonth} />
        {exports}
        <Freshness live={live} savedAt={savedAt} />
      </Toolbar>
      {children}
    </Page>
  )
}

function Freshness({ live, savedAt }: { live: boolean; savedAt: number | null }) {
  const reachable = useReachable()
  if (!reachable || (!live && savedAt === null)) return null
  if (!live) return <span className={classes.age}>{texts.asOf(timeOf(new Date(savedAt ?? 0)))}</span>
  return (
    <span className={classes.live} title={texts.live}>
      <Live size={20} />
      <span className="visually-hidden">{texts.live}</span>
    </span>
  )
}

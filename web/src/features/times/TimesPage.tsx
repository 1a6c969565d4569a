/** "Meine Zeiten": a user's month, as it is on the service, or as it was when the service was last heard. */
import { useState } from 'react'
import { useReachable } from '../../api/connectivity'
import { sentenceOf, Unreachable } from '../../api/failures'
import { Button } from '../../ui/Button'
import { momentOf, timeOf } from '../../ui/days'
import { Clock, Refresh } from '../../ui/icons'
import { MonthPicker } from '../../ui/MonthPicker'
import { currentMonth, monthName } from '../../ui/months'
import { Notice, OfflineBanner } from '../../ui/Notice'
import { PageFrame } from '../../ui/PageFrame'
import { EmptyState, ErrorState, Loading } from '../../ui/states'
import { texts as uiTexts } from '../../ui/texts'
import { useWide } from '../../ui/useWide'
import { MonthSums } from './MonthSums'
import { RunningEntry } from './RunningEntry'
import { sheetOf } from './sheet'
import { TimesCards } from './TimesCards'
import classes from './TimesPage.module.css'
import { TimesSkeleton } from './TimesSkeleton'
import { TimesTable } from './TimesTable'
import { texts } from './texts'
import { useLiveTimes } from './useLiveTimes'
import { type MonthView, useMonth } from './useMonth'

interface TimesPageProps {
  userId: string
  month: string
  onMonth: (month: string) => void
}

export function TimesPage({ userId, month, onMonth }: TimesPageProps) {
  const view = useMonth(userId, month)
  const live = useLiveTimes(userId)
  const reachable = useReachable()
  const [announced, setAnnounced] = useState('')
  const refresh = async () => {
    setAnnounced('')
    await view.reload()
    setAnnounced(texts.refreshed)
  }
  const retry = (
    <Button look="plain" onClick={view.reload} busy={view.loading}>
      {uiTexts.retry}
    </Button>
  )
  // Without a month the card below offers to try again: one way is enough.
  const nothing = view.entries === null && view.error !== null
  return (
    <PageFrame title={texts.title}>
      <div className={classes.tools}>
        <MonthPicker month={month} onChange={onMonth} />
        <div className={classes.fresh}>
          {view.savedAt !== null && (
            <span className={classes.age}>
              {live && reachable ? texts.live : texts.asOf(timeOf(new Date(view.savedAt)))}
            </span>
          )}
          {!nothing && (
            <Button icon={<Refresh size={18} />} busy={view.loading} onClick={refresh}>
              {texts.refresh}
            </Button>
          )}
        </div>
      </div>
      <p className="visually-hidden" role="status">
        {view.error === null ? announced : ''}
      </p>
      {!reachable && (
        <OfflineBanner
          asOf={view.savedAt === null ? null : uiTexts.clock(momentOf(new Date(view.savedAt)))}
        />
      )}
      {reachable && view.error !== null && view.entries !== null && (
        <Notice tone="error" live="polite" title={texts.failedAgain} action={retry}>
          <p>{sentenceOf(view.error, texts.failed)}</p>
        </Notice>
      )}
      <MonthContent view={view} month={month} onMonth={onMonth} />
    </PageFrame>
  )
}

function MonthContent({
  view,
  month,
  onMonth,
}: {
  view: MonthView
  month: string
  onMonth: (month: string) => void
}) {
  const wide = useWide()
  if (view.entries === null && view.error !== null) {
    return (
      <ErrorState
        title={texts.failed}
        detail={view.error instanceof Unreachable ? texts.notStored : sentenceOf(view.error, texts.failed)}
        busy={view.loading}
        onRetry={view.reload}
      />
    )
  }
  if (view.entries === null) {
    return (
      <Loading>
        <TimesSkeleton wide={wide} />
      </Loading>
    )
  }
  if (view.entries.length === 0) return <EmptyMonth view={view} month={month} onMonth={onMonth} />
  const sheet = sheetOf(view.entries)
  const List = wide ? TimesTable : TimesCards
  return (
    <>
      {sheet.running !== null && <RunningEntry entry={sheet.running} />}
      <MonthSums sheet={sheet} />
      <List sheet={sheet} caption={texts.month(monthName(month))} />
    </>
  )
}

function EmptyMonth({
  view,
  month,
  onMonth,
}: {
  view: MonthView
  month: string
  onMonth: (month: string) => void
}) {
  const present = currentMonth()
  const name = monthName(month)
  const sentence =
    month === present ? texts.empty(name) : month < present ? texts.emptyPast(name) : texts.emptyFuture(name)
  const action =
    month === present ? (
      <Button icon={<Refresh size={18} />} busy={view.loading} onClick={view.reload}>
        {texts.lookAgain}
      </Button>
    ) : (
      <Button onClick={() => onMonth(present)}>{texts.toThisMonth}</Button>
    )
  return <EmptyState picture={<Clock size={40} strokeWidth={1.6} />} sentence={sentence} action={action} />
}

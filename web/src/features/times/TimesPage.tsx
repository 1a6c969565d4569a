/** "Meine Zeiten": a user's month from the service, or its last known state. */
import { useState } from 'react'
import { useReachable } from '../../api/connectivity'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { texts as patternTexts } from '../../patterns/texts'
import { Button } from '../../ui/Button'
import { dayOf, momentOf, timeOf } from '../../ui/days'
import { Clock, Live, Refresh } from '../../ui/icons'
import { MonthPicker } from '../../ui/MonthPicker'
import { addMonths, currentMonth, monthName } from '../../ui/months'
import { now } from '../../ui/now'
import { EmptyState } from '../../ui/states'
import { texts as uiTexts } from '../../ui/texts'
import { useMatch } from '../../ui/useMatch'
import { useNow } from '../../ui/useNow'
import { AskForCorrection, Corrections, PendingCorrections } from './corrections/Corrections'
import { MonthSums } from './MonthSums'
import { RunningEntry } from './RunningEntry'
import { sheetOf } from './sheet'
import { TimesList } from './TimesList'
import classes from './TimesPage.module.css'
import { TimesSkeleton } from './TimesSkeleton'
import { TimesTable } from './TimesTable'
import { texts } from './texts'
import { useLiveTimes } from './useLiveTimes'
import { type MonthView, useMonth } from './useMonth'

/** A month with all details needs more room than other tables. */
const WIDE = '(min-width: 1141px), print'

interface TimesPageProps {
  userId: string
  month: string
  onMonth: (month: string) => void
}

export function TimesPage({ userId, month, onMonth }: TimesPageProps) {
  const view = useMonth(userId, month)
  const live = useLiveTimes(userId)
  const wide = useMatch(WIDE)
  // Whether the shown data is current.
  const isCurrent = useReachable() && !view.stored
  return (
    <Corrections userId={userId}>
      <Page
        title={texts.title}
        offline={view.data === undefined ? patternTexts.keptForLater : texts.offline}
        asOf={view.savedAt}
        actions={<AskForCorrection />}
      >
        <OnPaper month={month} />
        <div className={classes.tools}>
          <MonthPicker month={month} onChange={onMonth} />
          <Freshness view={view} live={live} />
        </div>
        <Running userId={userId} month={month} view={view} />
        <PendingCorrections month={month} />
        <QueryView
          query={view.stored ? { ...view, error: null } : view}
          failed={texts.failed}
          offline={texts.notStored}
          failedAgain={texts.failedAgain}
          skeleton={<TimesSkeleton wide={wide} />}
        >
          {entries =>
            entries.length === 0 ? (
              <EmptyMonth view={view} month={month} onMonth={onMonth} />
            ) : (
              <Month known={isCurrent} entries={entries} month={month} wide={wide} />
            )
          }
        </QueryView>
      </Page>
    </Corrections>
  )
}

/** On paper: the month and the time of printing. */
function OnPaper({ month }: { month: string }) {
  const now = useNow(30_000)
  return <p className={classes.printed}>{texts.printed(monthName(month), uiTexts.clock(momentOf(now)))}</p>
}

/** Whether the page is live, or its age; with a reload button. */
function Freshness({ view, live }: { view: MonthView; live: boolean }) {
  const reachable = useReachable()
  const [announced, setAnnounced] = useState('')
  const refresh = async () => {
    setAnnounced('')
    await view.refetch()
    setAnnounced(texts.refreshed)
  }
  // The card below already offers a retry.
  if (view.data === undefined && view.error !== null && reachable) return null
  return (
    <div className={classes.fresh}>
      {live && reachable ? (
        <span className={classes.live} title={patternTexts.live}>
          <Live size={20} />
          <span className="visually-hidden">{patternTexts.live}</span>
        </span>
      ) : (
        reachable &&
        view.savedAt !== null && (
          <span className={classes.age}>{patternTexts.asOf(timeOf(new Date(view.savedAt)))}</span>
        )
      )}
      <Button
        className={classes.refresh ?? ''}
        icon={<Refresh size={18} />}
        busy={view.isFetching}
        onClick={refresh}
      >
        <span className={classes.refreshName}>{texts.refresh}</span>
      </Button>
      <p className="visually-hidden" role="status">
        {view.error === null ? announced : ''}
      </p>
    </div>
  )
}

interface RunningProps {
  userId: string
  month: string
  view: MonthView
}

/** The running entry comes first; on a month's first day it may have begun in the previous month. */
function Running({ userId, month, view }: RunningProps) {
  const reachable = useReachable()
  const today = dayOf(useNow(30_000))
  const previousMonth = useMonth(userId, addMonths(month, -1), today === `${month}-01`)
  const ownRunning = runningIn(view)
  const [entry, { stored, savedAt }] =
    ownRunning === null ? [runningIn(previousMonth), previousMonth] : [ownRunning, view]
  if (entry === null) return null
  const isCurrent = reachable && !stored
  return (
    <RunningEntry entry={entry} knownAt={isCurrent ? null : savedAt === null ? now() : new Date(savedAt)} />
  )
}

const runningIn = ({ data }: MonthView) => (data === undefined ? null : sheetOf(data).running)

interface MonthProps {
  known: boolean
  entries: NonNullable<MonthView['data']>
  month: string
  wide: boolean
}

function Month({ known, entries, month, wide }: MonthProps) {
  const sheet = sheetOf(entries)
  const List = wide ? TimesTable : TimesList
  return (
    <>
      <MonthSums sheet={sheet} />
      <div className={classes.list} data-frozen={known ? undefined : true}>
        <List sheet={sheet} caption={texts.month(monthName(month))} />
      </div>
    </>
  )
}

interface EmptyMonthProps {
  view: MonthView
  month: string
  onMonth: (month: string) => void
}

function EmptyMonth({ view, month, onMonth }: EmptyMonthProps) {
  const present = currentMonth()
  const name = monthName(month)
  const sentence =
    month === present ? texts.empty(name) : month < present ? texts.emptyPast(name) : texts.emptyFuture(name)
  const action =
    month === present ? (
      <Button icon={<Refresh size={18} />} busy={view.isFetching} onClick={view.refetch}>
        {texts.lookAgain}
      </Button>
    ) : (
      <Button onClick={() => onMonth(present)}>{texts.toThisMonth}</Button>
    )
  return <EmptyState picture={<Clock size={40} strokeWidth={1.6} />} sentence={sentence} action={action} />
}

/** "Dienstplan verwalten": all duties as a month's calendar, or as people and days; and publishing them. */
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useHas } from '../../entities/people/PersonLink'
import { fetched } from '../../patterns/fetched'
import { Page } from '../../patterns/Page'
import { QueryView, RefreshFailed } from '../../patterns/QueryView'
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import { Button } from '../../ui/Button'
import { addDays, mondayOf } from '../../ui/days'
import { Buttons } from '../../ui/layout'
import { bounds } from '../../ui/months'
import { EmptyState, SkeletonRows } from '../../ui/states'
import { useMatch } from '../../ui/useMatch'
import type { PageProps } from '../feature'
import { CalendarView } from './CalendarView'
import { NewWarnings } from './NewWarnings'
import { PlanView } from './PlanView'
import type { Cell } from './plan'
import { texts } from './texts'
import { type Roster, useRoster } from './useRoster'

const DayDialog = fetched(async () => (await import('./DayDialog')).DayDialog, null)
const DutyDialog = fetched(async () => (await import('./DutyDialog')).DutyDialog, null)
const PublishDialog = fetched(async () => (await import('./PublishDialog')).PublishDialog, null)

/** The least width for a whole month of days. */
const MONTH_FITS = '(min-width: 1200px), print'

const VIEWS = ['calendar', 'plan'] as const
type View = (typeof VIEWS)[number]

export function RosterPage({ session: { companyId } }: PageProps) {
  const [month, onMonth] = useMonthInAddress()
  const [view, onView] = useView()
  const monthFits = useMatch(MONTH_FITS)
  const hasPeople = useHas('manage_employees')
  const shownRange = view === 'plan' && monthFits ? bounds(month) : weeksAround(month)
  const roster = useRoster(companyId, shownRange, bounds(month))
  const [day, setDay] = useState<string | null>(null)
  const [duty, setDuty] = useState<Cell | null>(null)
  const [publishing, setPublishing] = useState(false)
  const count = roster.changes.data?.length ?? 0
  const ViewPart = view === 'plan' ? PlanView : CalendarView
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <Buttons>
            {VIEWS.map(each => (
              <Button key={each} aria-pressed={each === view} onClick={() => onView(each)}>
                {texts.views[each]}
              </Button>
            ))}
          </Buttons>
          <Button look="primary" disabled={count === 0} onClick={() => setPublishing(true)}>
            {count === 0 ? texts.allPublished : texts.publish(count)}
          </Button>
        </>
      }
    >
      <Quiet query={roster.leave} sentence={texts.leaveFailed} />
      <Quiet query={roster.absences} sentence={texts.absencesFailed} />
      <Quiet query={roster.warnings} sentence={texts.warningsFailed} />
      <Quiet query={roster.daysOff} sentence={texts.daysOffFailed} />
      <Quiet query={roster.closures} sentence={texts.closuresFailed} />
      <Quiet query={roster.changes} sentence={texts.changesFailed} />
      <QueryView query={roster.people} failed={texts.failed} skeleton={<SkeletonRows rows={8} />}>
        {() =>
          roster.employees?.length === 0 ? (
            <EmptyState
              sentence={texts.noPeople}
              action={hasPeople ? <Link to="?tab=manage_employees">{texts.toPeople}</Link> : undefined}
            />
          ) : (
            <ViewPart
              roster={roster}
              month={month}
              onMonth={onMonth}
              whole={monthFits}
              onDay={setDay}
              onDuty={setDuty}
            />
          )
        }
      </QueryView>
      <NewWarnings roster={roster} onDay={setDay} />
      {day !== null && duty === null && (
        <DayDialog key={day} roster={roster} day={day} onDuty={setDuty} onClose={() => setDay(null)} />
      )}
      {duty !== null && <DutyDialog roster={roster} at={duty} onClose={() => setDuty(null)} />}
      {publishing && <PublishDialog roster={roster} onClose={() => setPublishing(false)} />}
    </Page>
  )
}

/** The props of both views. */
export interface ViewProps {
  roster: Roster
  month: string
  onMonth: (month: string) => void
  /** Whether a whole month has room side by side. */
  whole: boolean
  onDay: (day: string) => void
  /** Opens the dialog for the times of an existing duty. */
  onDuty: (at: Cell) => void
}

/** The whole weeks that overlap the month. */
function weeksAround(month: string) {
  const { from, to } = bounds(month)
  return { from: mondayOf(from), to: addDays(mondayOf(to), 6) }
}

const NAME = 'ansicht'

function useView(): [view: View, show: (view: View) => void] {
  const [search, setSearch] = useSearchParams()
  const show = (view: View) =>
    setSearch(previous => {
      const next = new URLSearchParams(previous)
      if (view === 'calendar') next.delete(NAME)
      else next.set(NAME, view)
      return next
    })
  return [search.get(NAME) === 'plan' ? 'plan' : 'calendar', show]
}

/** Errors of optional data. */
function Quiet({
  query,
  sentence,
}: {
  query: Parameters<typeof RefreshFailed>[0]['query']
  sentence: string
}) {
  return query.error === null ? null : <RefreshFailed query={query} title={sentence} />
}

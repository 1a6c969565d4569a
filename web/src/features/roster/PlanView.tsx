/** People by days: a month, or a week where there is no room; with actions and warnings. */
import { memo, useMemo, useState } from 'react'
import { fetched } from '../../patterns/fetched'
import { QueryView } from '../../patterns/QueryView'
import { Button } from '../../ui/Button'
import { addDays, dayOf, momentOf, mondayOf, shortDay } from '../../ui/days'
import { ChevronLeft, ChevronRight, Printer } from '../../ui/icons'
import { Buttons, Section, Toolbar } from '../../ui/layout'
import { weeksOf } from '../../ui/MonthCalendar'
import { MonthPicker } from '../../ui/MonthPicker'
import { addMonths, bounds, monthName } from '../../ui/months'
import { Select } from '../../ui/Select'
import { SkeletonRows } from '../../ui/states'
import { texts as uiTexts } from '../../ui/texts'
import { useMatch } from '../../ui/useMatch'
import { useNow } from '../../ui/useNow'
import { Grid } from './Grid'
import type { Person } from './People'
import { daysOf, inOrder, type Times, usualTimes } from './plan'
import type { ViewProps } from './RosterPage'
import classes from './roster.module.css'
import { REDO, UNDO } from './signs'
import { texts } from './texts'
import type { Roster } from './useRoster'
import { WarningList } from './WarningList'

const TimesInputs = fetched(async () => (await import('./TimesInputs')).TimesInputs, null)
const RepeatDialog = fetched(async () => (await import('./RepeatDialog')).RepeatDialog, null)

export function PlanView({ roster, month, onMonth, whole, onDay, onDuty }: ViewProps) {
  const now = useNow(30_000)
  const today = dayOf(now)
  const [monday, onWeek] = useWeek(month, onMonth, today)
  const [times, setTimes] = useState<Times>({ start: null, end: null })
  const [repeating, setRepeating] = useState(false)
  // Memoized by their sources: a changed prop re-renders every row of the grid.
  const employees = useMemo(() => inOrder(roster.employees ?? []), [roster.employees])
  const departments = [...new Set(employees.map(departmentOf))]
  const [chosen, setChosen] = useState('')
  const department = departments.includes(chosen) ? chosen : ''
  const people = useMemo(
    () => employees.filter(employee => department === '' || departmentOf(employee) === department),
    [employees, department],
  )
  const roomy = useMatch('(min-width: 700px)')
  const touch = useMatch('(pointer: coarse)')
  const days = useMemo(
    () => daysOf(whole ? bounds(month) : { from: monday, to: addDays(monday, 6) }),
    [whole, month, monday],
  )
  return (
    <div className={classes.plan}>
      <p className={classes.printed}>{texts.printed(monthName(month), uiTexts.clock(momentOf(now)))}</p>
      <Toolbar>
        <MonthPicker month={month} onChange={onMonth} />
        {!whole && <WeekPicker monday={monday} onWeek={onWeek} />}
        <div className={classes.choices}>
          {departments.length > 1 && (
            <Select
              label={texts.department}
              value={department}
              onChange={setChosen}
              data={[
                { value: '', label: texts.allDepartments },
                ...departments.map(value => ({ value, label: value })),
              ]}
            />
          )}
          <NewTimes duties={roster.duties.data} times={times} onTimes={setTimes} />
        </div>
        <Buttons>
          <Button
            aria-label={texts.undo}
            title={texts.undo}
            icon={UNDO}
            disabled={roster.history.done.length === 0}
            onClick={roster.undo}
          />
          <Button
            aria-label={texts.redo}
            title={texts.redo}
            icon={REDO}
            disabled={roster.history.undone.length === 0}
            onClick={roster.redo}
          />
          <Button onClick={() => setRepeating(true)}>{texts.repeat}</Button>
          <Button
            aria-label={texts.print}
            title={texts.print}
            icon={<Printer />}
            onClick={() => window.print()}
          />
        </Buttons>
      </Toolbar>
      <QueryView
        query={roster.duties}
        failed={texts.failed}
        skeleton={<SkeletonRows rows={10} height={40} />}
      >
        {() => (
          <div className={classes.wideBeside} data-whole={whole || undefined}>
            <Grid
              roster={roster}
              people={people}
              groupOf={departments.length > 1 ? departmentOf : undefined}
              days={days}
              today={today}
              times={times}
              roomy={!whole && roomy}
              onDay={onDay}
              onDuty={onDuty}
            />
            <div className={classes.below}>
              <p className="muted">{touch ? texts.helpTouch : texts.help}</p>
              <p className="muted">{texts.legend}</p>
              <Warnings rows={roster.warnings.data} employees={roster.employees} onDay={onDay} />
            </div>
          </div>
        )}
      </QueryView>
      {repeating && <RepeatDialog roster={roster} monday={monday} onClose={() => setRepeating(false)} />}
    </div>
  )
}

const departmentOf = ({ department }: Person) => department ?? texts.noDepartment

/** The shown week; it belongs to the month of its Thursday, and navigates to it. */
function useWeek(month: string, onMonth: (month: string) => void, today: string) {
  const [wanted, setWanted] = useState(mondayOf(today))
  const weeks = weeksOf(month)
  const monday = weeks.includes(wanted) ? wanted : (weeks[0] ?? wanted)
  const show = (next: string) => {
    setWanted(next)
    if (!weeks.includes(next)) onMonth(addMonths(month, next < monday ? -1 : 1))
  }
  return [monday, show] as const
}

function WeekPicker({ monday, onWeek }: { monday: string; onWeek: (monday: string) => void }) {
  return (
    <div className={classes.week}>
      <Button
        aria-label={texts.previousWeek}
        icon={<ChevronLeft />}
        onClick={() => onWeek(addDays(monday, -7))}
      />
      <span aria-live="polite">{texts.week(shortDay(monday).date, shortDay(addDays(monday, 6)).date)}</span>
      <Button
        aria-label={texts.nextWeek}
        icon={<ChevronRight />}
        onClick={() => onWeek(addDays(monday, 7))}
      />
    </div>
  )
}

const NO_TIMES = 'none'
const OTHER_TIMES = 'other'
const keyOf = ({ start, end }: Times) => (start === null ? NO_TIMES : `${start} ${end ?? ''}`)

interface NewTimesProps {
  duties: Roster['duties']['data']
  times: Times
  onTimes: (times: Times) => void
}

/** The times of new duties: usual ones, without times, or custom. */
const NewTimes = memo(function NewTimes({ duties = [], times, onTimes }: NewTimesProps) {
  const [typed, setTyped] = useState(false)
  const usual = usualTimes(duties)
  const isTyping = typed || (times.start !== null && !usual.some(each => keyOf(each) === keyOf(times)))
  const choose = (key: string) => {
    setTyped(key === OTHER_TIMES)
    if (key !== OTHER_TIMES) onTimes(usual.find(times => keyOf(times) === key) ?? { start: null, end: null })
  }
  return (
    <div className={classes.times}>
      <Select
        label={texts.newDuties}
        value={isTyping ? OTHER_TIMES : keyOf(times)}
        onChange={choose}
        data={[
          { value: NO_TIMES, label: texts.noTimes },
          ...usual.map(times => ({ value: keyOf(times), label: texts.times(times) ?? '' })),
          { value: OTHER_TIMES, label: texts.otherTimes },
        ]}
      />
      {isTyping && <TimesInputs times={times} onTimes={onTimes} />}
    </div>
  )
})

interface WarningsProps {
  rows: Roster['warnings']['data']
  employees: Roster['employees']
  onDay: (day: string) => void
}

/** The plan's warnings; each links to its day. */
const Warnings = memo(function Warnings({ rows = [], employees, onDay }: WarningsProps) {
  const warnings = rows.filter(({ userId }) => employees?.some(({ id }) => id === userId))
  return (
    <Section title={texts.warnings} count={warnings.length}>
      {warnings.length === 0 && <p className="muted">{texts.noWarnings}</p>}
      <WarningList warnings={warnings} employees={employees} onDay={onDay} />
    </Section>
  )
})

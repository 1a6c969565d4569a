/** Details of a line: days with their entries, holidays by name, bookings with their reasons. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { QueryView } from '../../patterns/QueryView'
import type { Stored } from '../../patterns/useStored'
import { hoursMinutes, span } from '../../ui/durations'
import { currentMonth } from '../../ui/months'
import { Skeleton } from '../../ui/states'
import classes from './details.module.css'
import { carriedInto, creditOf, type Kind } from './ledger'
import { Amount, DayName } from './parts'
import { texts } from './texts'
import type { MonthAccount, TimeEntry, YearAccount } from './useAccount'

type Day = MonthAccount['days'][number]

interface ActualDetailsProps {
  account: MonthAccount
  entries: Stored<TimeEntry[]>
}

/** The account's days, with their entries. */
export function ActualDetails({ account, entries }: ActualDetailsProps) {
  const days = account.days.filter(day => day.actualMinutes !== 0 || day.entryIds.length > 0)
  if (days.length === 0) return <p className={classes.nothing}>{texts.noActual}</p>
  const query = entries.stored ? { ...entries, error: null } : entries
  return (
    <>
      <ol className={classes.days}>
        {days.map(day => (
          <li key={day.date}>
            <p className={classes.head}>
              <DayName day={day.date} />
              <Amount minutes={day.actualMinutes} />
            </p>
            <Entries day={day} known={entries.data} />
          </li>
        ))}
      </ol>
      {entries.data === undefined && (
        <QueryView
          query={query}
          failed={texts.entriesFailed}
          offline={texts.entriesNotStored}
          skeleton={<Skeleton width={160} />}
        >
          {() => null}
        </QueryView>
      )}
      <p className={classes.more}>
        <Link to={timesOf(account.month)}>{texts.toTimes}</Link>
      </p>
    </>
  )
}

const timesOf = (month: string) => `?tab=my_times${month === currentMonth() ? '' : `&monat=${month}`}`

function Entries({ day, known = [] }: { day: Day; known: readonly TimeEntry[] | undefined }) {
  const dayEntries = day.entryIds.flatMap(id => known.filter(entry => entry.id === id))
  if (dayEntries.length === 0) return null
  return (
    <ul className={classes.entries}>
      {dayEntries.map(entry => (
        <li key={entry.id}>
          <span>
            {entry.date !== day.date && (
              <>
                <DayName day={entry.date} />{' '}
              </>
            )}
            <span className="tabular">{span(entry.start ?? texts.missing, endOf(entry))}</span>
            <Remark entry={entry} />
          </span>
          {entry.workedMinutesNet !== null && <Amount minutes={entry.workedMinutesNet} />}
        </li>
      ))}
    </ul>
  )
}

const endOf = (entry: TimeEntry) => (entry.running ? texts.runs : (entry.end ?? texts.missing))

function Remark({ entry }: { entry: TimeEntry }) {
  const remarks = [
    entry.running ? texts.running : entry.workedMinutesNet === null ? texts.incomplete : '',
    entry.source === 'correction' ? texts.correction : '',
  ].filter(remark => remark !== '')
  return (
    <span className={classes.remark}>
      {entry.breakMinutes ? (
        <>
          <span className="visually-hidden"> {texts.deduction}</span> {hoursMinutes(-entry.breakMinutes)}
        </>
      ) : null}
      {remarks.map(remark => (
        <span key={remark}> {remark}</span>
      ))}
    </span>
  )
}

interface DatedProps {
  account: MonthAccount
  until: string | null
}

export function TargetDetails({ account, until }: DatedProps) {
  const days = account.days.filter(day => day.targetMinutes !== 0)
  if (days.length === 0) return <p className={classes.nothing}>{texts.noTargetDays}</p>
  return <Grid days={days} until={until} minutesOf={day => day.targetMinutes} />
}

export function CreditDetails({ account, kind, until }: DatedProps & { kind: Kind }) {
  if (kind === 'holiday') return <HolidayDetails account={account} />
  const days = account.days.filter(day => creditOf(day, kind) !== 0)
  return <Grid days={days} until={until} minutesOf={day => creditOf(day, kind)} />
}

interface GridProps {
  days: readonly Day[]
  until: string | null
  minutesOf: (day: Day) => number
}

/** Past days, separate from future ones. */
function Grid({ days, until, minutesOf }: GridProps) {
  const come = days.filter(({ date }) => until !== null && date <= until)
  const ahead = days.filter(day => !come.includes(day))
  const list = (some: readonly Day[]) => (
    <ol className={classes.grid}>
      {some.map(day => (
        <li key={day.date}>
          <DayName day={day.date} />
          <Amount minutes={minutesOf(day)} />
        </li>
      ))}
    </ol>
  )
  if (come.length === 0 || ahead.length === 0) return list(days)
  return (
    <>
      {list(come)}
      <h3 className={classes.ahead}>{texts.ahead}</h3>
      {list(ahead)}
    </>
  )
}

/** Includes holidays on days off, so that users do not miss them. */
function HolidayDetails({ account }: { account: MonthAccount }) {
  const holidayNames = new Map(account.holidays.map(({ date, name }) => [date, name]))
  const days = account.days.filter(day => holidayNames.has(day.date) || creditOf(day, 'holiday') !== 0)
  return (
    <Lines>
      {days.map(day => {
        const minutes = creditOf(day, 'holiday')
        return (
          <li key={day.date}>
            <DayName day={day.date} />
            <span>
              {holidayNames.get(day.date) ?? texts.holiday}
              {minutes === 0 && <span className={classes.remark}> {texts.noCredit}</span>}
            </span>
            <Amount minutes={minutes} signed />
          </li>
        )
      })}
    </Lines>
  )
}

export function BookingDetails({ account }: { account: MonthAccount }) {
  return (
    <Lines>
      {account.bookings.map(({ id, date, reason, minutes }) => (
        <li key={id}>
          <DayName day={date} />
          <span>{reason}</span>
          <Amount minutes={minutes} signed />
        </li>
      ))}
    </Lines>
  )
}

interface CarriedDetailsProps {
  month: string
  carried: number
  year: YearAccount | null
}

export function CarriedDetails({ month, carried, year }: CarriedDetailsProps) {
  const parts = year === null ? [] : carriedInto(month, year)
  if (parts.length === 0) {
    return carried === 0 ? (
      <p className={classes.nothing}>{texts.nothingCarried}</p>
    ) : (
      <p className={classes.nothing}>{texts.yearNotStored}</p>
    )
  }
  return (
    <ol className={classes.pairs}>
      {parts.map(({ from, of, minutes }) => (
        <li key={`${from} ${of}`}>
          <span>{NAMES[from](of)}</span>
          <Amount minutes={minutes} signed />
        </li>
      ))}
    </ol>
  )
}

const NAMES = { year: texts.fromYear, month: texts.fromMonth, opening: texts.fromOpening } as const

function Lines({ children }: { children: ReactNode }) {
  return <ol className={classes.lines}>{children}</ol>
}

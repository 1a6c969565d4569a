/** The month as a table: for wide windows. A day's total is the largest text of its rows. */
import { dayInMonth, shortDay } from '../../ui/days'
import { Table } from '../../ui/Table'
import { EntryActs, EntryNeeds } from './corrections/Corrections'
import { texts as correctionTexts } from './corrections/texts'
import { Deduction, Duration, Flags, Source, Span } from './entryParts'
import { placeOf } from './place'
import { breakOf, type Day, isComplete, isUnusual, pauseOf, type Sheet, type TimeEntry } from './sheet'
import classes from './TimesTable.module.css'
import { texts } from './texts'

interface TimesTableProps {
  sheet: Sheet
  caption: string
}

export function TimesTable({ sheet, caption }: TimesTableProps) {
  const { differs } = sheet
  return (
    <Table className={classes.table} caption={caption}>
      <thead>
        <tr>
          <th scope="col">{texts.columnDay}</th>
          <th scope="col">{texts.columnTime}</th>
          {differs.pauses && <Figures>{texts.columnBreak}</Figures>}
          {differs.deductions && <Figures>{texts.columnRaw}</Figures>}
          {differs.deductions && <Figures>{texts.columnDeduction}</Figures>}
          <Figures>{texts.columnNet}</Figures>
          {differs.hints && (
            <th scope="col" className={classes.hints}>
              {texts.columnHints}
            </th>
          )}
          <th scope="col" className={classes.acts}>
            <span className="visually-hidden">{correctionTexts.acts}</span>
          </th>
        </tr>
      </thead>
      {sheet.days.map(day => (
        <DayRows key={day.date} day={day} sheet={sheet} />
      ))}
    </Table>
  )
}

function Figures({ children }: { children: string }) {
  return (
    <th scope="col" className={classes.number}>
      {children}
    </th>
  )
}

function DayRows({ day, sheet }: { day: Day; sheet: Sheet }) {
  const several = day.entries.length > 1
  return (
    <tbody id={placeOf(day.date)} tabIndex={-1}>
      {several && <DayRow day={day} sheet={sheet} />}
      {day.entries.map(entry => (
        <tr key={entry.id} className={several ? classes.part : undefined}>
          {!several && <DayHead day={day} rows={1} />}
          <EntryCells entry={entry} day={day.date} sheet={sheet} alone={!several} />
        </tr>
      ))}
    </tbody>
  )
}

function DayHead({ day, rows }: { day: Day; rows: number }) {
  const { weekday, date } = shortDay(day.date)
  return (
    <th scope="rowgroup" rowSpan={rows} className={classes.day}>
      <span aria-hidden="true">
        <span className={classes.weekday}>{weekday}</span> {date}
      </span>
      <span className="visually-hidden">{dayInMonth(day.date)}</span>
    </th>
  )
}

/** A day of several entries: its sums, with the entries below. */
function DayRow({ day, sheet }: { day: Day; sheet: Sheet }) {
  const { differs, pauses } = sheet
  return (
    <tr>
      <DayHead day={day} rows={day.entries.length + 1} />
      <td className={classes.count}>{texts.entries(day.entries.length)}</td>
      {differs.pauses && <Minutes minutes={pauseOf(day, pauses)} />}
      {differs.deductions && <Minutes minutes={day.sums.raw} />}
      {differs.deductions && <Minutes minutes={day.sums.breaks} />}
      <td className={`${classes.number} ${classes.total}`}>
        <span className="visually-hidden">{texts.dayTotal} </span>
        <Duration minutes={day.sums.net} />
      </td>
      {differs.hints && <td />}
      <td className={classes.acts} />
    </tr>
  )
}

interface EntryProps {
  entry: TimeEntry
  /** The day of its group. */
  day: string
  sheet: Sheet
  /** Whether it is the day's only entry, and so its total. */
  alone: boolean
}

function EntryCells({ entry, day, sheet, alone }: EntryProps) {
  const { differs, pauses } = sheet
  const needs = <EntryNeeds entry={entry} />
  return (
    <>
      <td className={classes.time}>
        <Span entry={entry} day={day} />
      </td>
      {differs.pauses && <Minutes minutes={pauses.get(entry.id) ?? 0} />}
      {differs.deductions && <Minutes minutes={entry.workedMinutesRaw} />}
      {differs.deductions && <Deducted entry={entry} />}
      <td className={`${classes.number} ${alone ? classes.total : ''}`}>
        <Duration minutes={entry.workedMinutesNet} />
      </td>
      {differs.hints && (
        <td className={classes.hints}>
          {isUnusual(entry, sheet) && <Source entry={entry} />}
          <Flags flags={entry.flags} />
          {/* Next to the menu button, the table would not fit its window. */}
          {needs}
        </td>
      )}
      <td className={classes.acts}>
        <span className={classes.actsIn}>
          {!differs.hints && needs}
          <EntryActs entry={entry} />
        </span>
      </td>
    </>
  )
}

function Deducted({ entry }: { entry: TimeEntry }) {
  const minutes = isComplete(entry) ? breakOf(entry) : 0
  if (minutes === 0) return <Minutes minutes={null} />
  return (
    <td className={classes.number}>
      <Deduction entry={entry}>
        <Duration minutes={minutes} />
      </Deduction>
    </td>
  )
}

/** Zero is a dash: a column of zeros would hide missing values. */
function Minutes({ minutes }: { minutes: number | null }) {
  return (
    <td className={classes.number}>
      <Duration minutes={minutes === 0 ? null : minutes} />
    </td>
  )
}

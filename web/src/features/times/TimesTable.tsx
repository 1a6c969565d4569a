/** The month as a table: for wide windows. */
import { dayInMonth, shortDay } from '../../ui/days'
import { Table } from '../../ui/Table'
import { Breaks, Duration, Flags, Source, Span } from './entryParts'
import { breakOf, type Day, isComplete, type Sheet, type TimeEntry } from './sheet'
import classes from './TimesTable.module.css'
import { texts } from './texts'

interface TimesTableProps {
  sheet: Sheet
  caption: string
}

export function TimesTable({ sheet, caption }: TimesTableProps) {
  return (
    <Table className={classes.table} caption={caption}>
      <thead>
        <tr>
          <th scope="col">{texts.columnDay}</th>
          <th scope="col">{texts.columnTime}</th>
          <th scope="col" className={classes.number}>
            {texts.columnBreak}
          </th>
          <th scope="col" className={classes.number}>
            {texts.columnRaw}
          </th>
          <th scope="col" className={classes.number}>
            {texts.columnNet}
          </th>
          <th scope="col">{texts.columnSource}</th>
          <th scope="col">{texts.columnHints}</th>
        </tr>
      </thead>
      {sheet.days.map(day => (
        <DayRows key={day.date} day={day} pauses={sheet.pauses} />
      ))}
    </Table>
  )
}

function DayRows({ day, pauses }: { day: Day; pauses: Sheet['pauses'] }) {
  const { weekday, date } = shortDay(day.date)
  return (
    <tbody>
      {day.entries.map((entry, index) => (
        <tr key={entry.id}>
          {index === 0 && (
            <th scope="rowgroup" rowSpan={day.entries.length} className={classes.day}>
              <span aria-hidden="true">
                <span className={classes.weekday}>{weekday}</span> {date}
              </span>
              <span className="visually-hidden">{dayInMonth(day.date)}</span>
              {day.entries.length > 1 && (
                <span className={classes.total}>
                  <span className="visually-hidden">{texts.dayTotal} </span>
                  <Duration minutes={day.sums.net} />
                </span>
              )}
            </th>
          )}
          <EntryCells entry={entry} day={day.date} pause={pauses.get(entry.id) ?? 0} />
        </tr>
      ))}
    </tbody>
  )
}

interface EntryProps {
  entry: TimeEntry
  /** The day that it stands under. */
  day: string
  pause: number
}

function EntryCells({ entry, day, pause }: EntryProps) {
  const counted = isComplete(entry)
  return (
    <>
      <td className={classes.time}>
        <Span entry={entry} day={day} />
      </td>
      <td className={classes.number}>
        <Breaks taken={pause} deducted={counted ? breakOf(entry) : 0} />
      </td>
      <td className={classes.number}>
        <Duration minutes={entry.workedMinutesRaw} />
      </td>
      <td className={`${classes.number} ${classes.net}`}>
        <Duration minutes={entry.workedMinutesNet} />
      </td>
      <td>
        <Source entry={entry} />
      </td>
      <td>
        <Flags flags={entry.flags} />
      </td>
    </>
  )
}

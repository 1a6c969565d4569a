/** The month as a list, a line per entry: for phones. Details appear only if entries differ in them. */
import { dayInMonth, shortDay } from '../../ui/days'
import { EntryActs, EntryNeeds, useNeeds } from './corrections/Corrections'
import { Deduction, Duration, Flags, Source, Span } from './entryParts'
import { placeOf } from './place'
import { breakOf, type Day, isComplete, isUnusual, pauseOf, type Sheet, type TimeEntry } from './sheet'
import classes from './TimesList.module.css'
import { texts } from './texts'

export function TimesList({ sheet, caption }: { sheet: Sheet; caption: string }) {
  return (
    <ol className={classes.days} aria-label={caption}>
      {sheet.days.map(day => (
        <li key={day.date} id={placeOf(day.date)} className={classes.day} tabIndex={-1}>
          <DayLines day={day} sheet={sheet} />
        </li>
      ))}
    </ol>
  )
}

function DayLines({ day, sheet }: { day: Day; sheet: Sheet }) {
  const { weekday, date } = shortDay(day.date)
  const [only, second] = day.entries
  const alone = second === undefined ? only : undefined
  return (
    <>
      <h2 className={classes.date}>
        <span aria-hidden="true">
          <span className={classes.weekday}>{weekday}</span> {date}
        </span>
        <span className="visually-hidden">{dayInMonth(day.date)}</span>
      </h2>
      <p className={classes.times}>
        {alone === undefined ? (
          <span className={classes.count}>{texts.entries(day.entries.length)}</span>
        ) : (
          <Span entry={alone} day={day.date} />
        )}
        <BreakRow day={day} sheet={sheet} />
      </p>
      <p className={classes.total}>
        <span className="visually-hidden">{texts.dayTotal} </span>
        <Duration minutes={alone === undefined ? day.sums.net : alone.workedMinutesNet} />
      </p>
      {alone !== undefined && (
        <span className={classes.acts}>
          <EntryActs entry={alone} />
        </span>
      )}
      {alone === undefined ? (
        <ul className={classes.entries}>
          {day.entries.map(entry => (
            <EntryLine key={entry.id} entry={entry} day={day.date} sheet={sheet} />
          ))}
        </ul>
      ) : (
        <Extras entry={alone} sheet={sheet} />
      )}
    </>
  )
}

function EntryLine({ entry, day, sheet }: { entry: TimeEntry; day: string; sheet: Sheet }) {
  return (
    <li className={classes.entry}>
      <Span entry={entry} day={day} />
      <span className={classes.part}>
        <Duration minutes={entry.workedMinutesNet} />
      </span>
      <span className={classes.acts}>
        <EntryActs entry={entry} />
      </span>
      <Extras entry={entry} sheet={sheet} />
    </li>
  )
}

/** An entry's details: its clock, if it is not the usual one, and its flags. */
function Extras({ entry, sheet }: { entry: TimeEntry; sheet: Sheet }) {
  const unusual = isUnusual(entry, sheet)
  const needs = useNeeds(entry)
  if (!unusual && !needs && entry.flags.length === 0) return null
  return (
    <div className={classes.extras}>
      <EntryNeeds entry={entry} />
      {unusual && <Source entry={entry} />}
      <Flags flags={entry.flags} />
    </div>
  )
}

/** A day's details, in its own line: the break taken, and deductions. */
function BreakRow({ day, sheet }: { day: Day; sheet: Sheet }) {
  const pause = pauseOf(day, sheet.pauses)
  const alone = day.entries.length === 1 ? day.entries[0] : undefined
  const deducted = day.entries.filter(isComplete).reduce((sum, entry) => sum + breakOf(entry), 0)
  return (
    <>
      {pause > 0 && (
        <span className={classes.between}>
          {texts.columnBreak} <Duration minutes={pause} />
        </span>
      )}
      {deducted > 0 && (
        <span className={classes.between}>
          {/* A single entry has an icon after its times; a line of sums has a word. */}
          {alone === undefined ? (
            <>
              {texts.columnDeduction} <Duration minutes={deducted} />
            </>
          ) : (
            <Deduction entry={alone}>
              <span className="visually-hidden">{texts.columnDeduction} </span>
              <Duration minutes={-deducted} />
            </Deduction>
          )}
        </span>
      )}
    </>
  )
}

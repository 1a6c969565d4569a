/** The month as cards, a section a day: for phones. */
import { dayInMonth } from '../../ui/days'
import { Cup } from '../../ui/icons'
import { Duration, FlagNotes, Source, Span } from './entryParts'
import { breakOf, isComplete, type Sheet, type TimeEntry } from './sheet'
import classes from './TimesCards.module.css'
import { texts } from './texts'

export function TimesCards({ sheet, caption }: { sheet: Sheet; caption: string }) {
  return (
    <section className={classes.days} aria-label={caption}>
      {sheet.days.map(day => (
        <article key={day.date} className={classes.card}>
          <header className={classes.header}>
            <h2 className={classes.day}>{dayInMonth(day.date)}</h2>
            {day.entries.length > 1 && (
              <p className={classes.total}>
                <span className="visually-hidden">{texts.dayTotal} </span>
                <Duration minutes={day.sums.net} />
              </p>
            )}
          </header>
          <ul className={classes.entries}>
            {day.entries.map(entry => (
              <EntryItem
                key={entry.id}
                entry={entry}
                day={day.date}
                pause={sheet.pauses.get(entry.id) ?? 0}
              />
            ))}
          </ul>
        </article>
      ))}
    </section>
  )
}

interface EntryProps {
  entry: TimeEntry
  /** The day that it stands under. */
  day: string
  pause: number
}

function EntryItem({ entry, day, pause }: EntryProps) {
  return (
    <li className={classes.entry}>
      <div className={classes.line}>
        <Span entry={entry} day={day} />
        {entry.workedMinutesNet !== null && <Duration minutes={entry.workedMinutesNet} />}
        {!isComplete(entry) && !entry.running && <span className={classes.open}>{texts.incomplete}</span>}
      </div>
      {isComplete(entry) && (
        <p className={classes.detail}>
          {texts.columnRaw} <Duration minutes={entry.workedMinutesRaw} />
          {breakOf(entry) > 0 && (
            <>
              <span className={classes.dot} aria-hidden="true" />
              {texts.deduction} <Duration minutes={breakOf(entry)} />
            </>
          )}
        </p>
      )}
      <p className={classes.detail}>
        <Source entry={entry} />
      </p>
      <FlagNotes flags={entry.flags} />
      {pause > 0 && (
        <p className={classes.pause}>
          <Cup size={16} />
          {texts.pause} <Duration minutes={pause} />
        </p>
      )}
    </li>
  )
}

/** The entry that is open now, with its live duration. */
import { dayInMonth, dayOf } from '../../ui/days'
import { useNow } from '../../ui/useNow'
import { Duration } from './entryParts'
import classes from './RunningEntry.module.css'
import { elapsedMinutes, type TimeEntry } from './sheet'
import { texts } from './texts'

export function RunningEntry({ entry }: { entry: TimeEntry }) {
  const now = useNow(5_000)
  const minutes = elapsedMinutes(entry, now)
  const start = entry.start ?? ''
  const since = entry.date === dayOf(now) ? texts.since(start) : texts.sinceDay(dayInMonth(entry.date), start)
  return (
    <section className={classes.card} aria-label={texts.clockedIn}>
      <span className={classes.dot} aria-hidden="true" />
      <div className={classes.words}>
        <p className={classes.state}>{texts.clockedIn}</p>
        <p className={classes.since}>
          {since}
          {entry.clockName !== null && ` ${texts.atClock(entry.clockName)}`}
        </p>
      </div>
      <p className={classes.duration}>
        <Duration minutes={minutes} />
      </p>
    </section>
  )
}

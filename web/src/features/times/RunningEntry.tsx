/** The running entry, with its live duration; its last known state while the service is unreachable. */
import { dayInMonth, dayOf } from '../../ui/days'
import { useNow } from '../../ui/useNow'
import { Duration } from './entryParts'
import classes from './RunningEntry.module.css'
import { elapsedMinutes, type TimeEntry } from './sheet'
import { texts } from './texts'

interface RunningEntryProps {
  entry: TimeEntry
  /** The last time it was known to run; null while that is current. */
  knownAt: Date | null
}

export function RunningEntry({ entry, knownAt }: RunningEntryProps) {
  const now = useNow(5_000)
  const minutes = elapsedMinutes(entry, knownAt ?? now)
  const start = entry.start ?? ''
  const sinceText =
    entry.date === dayOf(now) ? texts.since(start) : texts.sinceDay(dayInMonth(entry.date), start)
  const frozen = knownAt !== null
  return (
    <section className={`${classes.card} ${frozen ? classes.frozen : ''}`} aria-label={texts.clockedIn}>
      <span className={classes.dot} aria-hidden="true" />
      <div className={classes.words}>
        <p className={classes.state}>
          {texts.clockedIn}
          {frozen && <span className={classes.known}>{texts.lastKnown}</span>}
        </p>
        <p className={classes.since}>
          {sinceText}
          {entry.clockName !== null && ` ${texts.atClock(entry.clockName)}`}
        </p>
      </div>
      <p className={classes.duration}>
        <Duration minutes={minutes} />
      </p>
    </section>
  )
}

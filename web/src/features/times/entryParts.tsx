/** The pieces of one entry that the table and the cards share. */
import { Badge, ExplainedBadge } from '../../ui/Badge'
import { hoursMinutes, spokenDuration } from '../../ui/durations'
import { Clock, Pencil } from '../../ui/icons'
import classes from './entryParts.module.css'
import { type ShownFlag, shownFlag } from './flags'
import type { TimeEntry } from './sheet'
import { daysAfter } from './shifts'
import { texts } from './texts'

/** "8h 05m", read aloud as "8 Stunden 5 Minuten". */
export function Duration({ minutes }: { minutes: number | null }) {
  if (minutes === null) return <span className={classes.none}>{texts.noMinutes}</span>
  return (
    <span className={classes.duration}>
      <span aria-hidden="true">{hoursMinutes(minutes)}</span>
      <span className="visually-hidden">{spokenDuration(minutes)}</span>
    </span>
  )
}

/** The break taken after an entry, and with a minus sign what was deducted from it; nothing of both is a dash. */
export function Breaks({ taken, deducted }: { taken: number; deducted: number }) {
  if (taken === 0 && deducted === 0) {
    return (
      <span className={classes.none}>
        <span aria-hidden="true">{texts.noMinutes}</span>
        <span className="visually-hidden">{texts.noBreak}</span>
      </span>
    )
  }
  return (
    <>
      {taken > 0 && (
        <span className={classes.taken}>
          <span className="visually-hidden">{texts.pauseTaken} </span>
          <Duration minutes={taken} />
        </span>
      )}
      {deducted > 0 && (
        <span className={classes.deducted}>
          <span className="visually-hidden">{texts.deducted} </span>
          <Duration minutes={-deducted} />
        </span>
      )}
    </>
  )
}

/** "07:58 – 17:02"; says in words what is missing, what still runs and what lies on another day than it stands under. */
export function Span({ entry, day }: { entry: TimeEntry; day: string }) {
  const days = daysAfter(day, entry)
  return (
    <span className={classes.span}>
      {entry.start === null ? (
        <Gap meaning={texts.startMissing} />
      ) : (
        <>
          <span className="visually-hidden">{texts.from} </span>
          <time>{entry.start}</time>
          <OtherDay days={days.start} />
        </>
      )}
      <span className={classes.dash} aria-hidden="true">
        {texts.noMinutes}
      </span>
      <End entry={entry} days={days.end} />
    </span>
  )
}

function End({ entry, days }: { entry: TimeEntry; days: number }) {
  if (entry.running) return <span className={classes.runs}>{texts.runs}</span>
  if (entry.end === null) return <Gap meaning={texts.endMissing} />
  return (
    <>
      <span className="visually-hidden"> {texts.to} </span>
      <time>{entry.end}</time>
      <OtherDay days={days} />
    </>
  )
}

/** The mark of a time that does not lie on the day it stands under. */
function OtherDay({ days }: { days: number }) {
  if (days === 0) return null
  return (
    <>
      <sup className={classes.nextDay} aria-hidden="true" title={texts.otherDay(days)}>
        {texts.otherDayMark(days)}
      </sup>
      <span className="visually-hidden"> {texts.otherDay(days)}</span>
    </>
  )
}

function Gap({ meaning }: { meaning: string }) {
  return (
    <span className={classes.gap}>
      <span aria-hidden="true">{texts.missing}</span>
      <span className="visually-hidden">{meaning}</span>
    </span>
  )
}

/** Where the entry comes from: the clock that was stamped at, or a correction. */
export function Source({ entry }: { entry: TimeEntry }) {
  if (entry.source === 'correction') {
    return (
      <span className={classes.source}>
        <Pencil size={16} />
        {texts.fromCorrection}
      </span>
    )
  }
  return (
    <span className={classes.source}>
      <Clock size={16} />
      {entry.clockName === null ? (
        texts.fromClock
      ) : (
        <>
          <span className="visually-hidden">{texts.stampedAt} </span>
          {entry.clockName}
        </>
      )}
    </span>
  )
}

/** Badges that explain themselves when pressed: for the table. */
export function Flags({ flags }: { flags: readonly string[] }) {
  if (flags.length === 0) return null
  return (
    <ul className={classes.flags}>
      {flags.map(shownFlag).map(flag => (
        <li key={flag.flag}>
          <ExplainedBadge tone={flag.tone} icon={<flag.icon />} explanation={flag.explanation}>
            {flag.label}
          </ExplainedBadge>
        </li>
      ))}
    </ul>
  )
}

/** Badges with their explanation below: for the cards. */
export function FlagNotes({ flags }: { flags: readonly string[] }) {
  if (flags.length === 0) return null
  return (
    <ul className={classes.notes}>
      {flags.map(shownFlag).map(flag => (
        <FlagNote key={flag.flag} flag={flag} />
      ))}
    </ul>
  )
}

function FlagNote({ flag }: { flag: ShownFlag }) {
  return (
    <li>
      <Badge tone={flag.tone} icon={<flag.icon />}>
        {flag.label}
      </Badge>
      <p>{flag.explanation}</p>
    </li>
  )
}

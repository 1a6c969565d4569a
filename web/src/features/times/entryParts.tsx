/** The pieces of one entry that the table and the cards share. */
import { Badge, ExplainedBadge } from '../../ui/Badge'
import { hoursMinutes, spokenDuration } from '../../ui/durations'
import { Clock, Pencil } from '../../ui/icons'
import classes from './entryParts.module.css'
import { type ShownFlag, shownFlag } from './flags'
import { endsNextDay, type TimeEntry } from './sheet'
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

/** "07:58 – 17:02"; says in words what is missing, what still runs and what ends on the next day. */
export function Span({ entry }: { entry: TimeEntry }) {
  return (
    <span className={classes.span}>
      {entry.start === null ? (
        <Gap meaning={texts.startMissing} />
      ) : (
        <>
          <span className="visually-hidden">{texts.from} </span>
          <time>{entry.start}</time>
        </>
      )}
      <span className={classes.dash} aria-hidden="true">
        {texts.noMinutes}
      </span>
      <End entry={entry} />
    </span>
  )
}

function End({ entry }: { entry: TimeEntry }) {
  if (entry.running) return <span className={classes.runs}>{texts.runs}</span>
  if (entry.end === null) return <Gap meaning={texts.endMissing} />
  return (
    <>
      <span className="visually-hidden"> {texts.to} </span>
      <time>{entry.end}</time>
      {endsNextDay(entry) && (
        <>
          <sup className={classes.nextDay} aria-hidden="true" title={texts.nextDay}>
            {texts.nextDayMark}
          </sup>
          <span className="visually-hidden"> {texts.nextDay}</span>
        </>
      )}
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

/** Where the entry comes from, and from which clock. */
export function Source({ entry }: { entry: TimeEntry }) {
  const corrected = entry.source === 'correction'
  const Icon = corrected ? Pencil : Clock
  return (
    <span className={classes.source}>
      <Icon size={16} />
      <span>
        {corrected ? texts.fromCorrection : texts.fromClock}
        {entry.clockName !== null && <span className={classes.clock}> {texts.atClock(entry.clockName)}</span>}
      </span>
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

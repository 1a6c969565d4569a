/** Parts of an entry shared by the table and the cards. */
import type { ReactNode } from 'react'
import { shownFlag } from '../../entities/entries/flags'
import { ExplainedBadges } from '../../ui/Badge'
import { hoursMinutes, spokenDuration } from '../../ui/durations'
import { Pencil } from '../../ui/icons'
import { usePanel } from '../../ui/usePanel'
import classes from './entryParts.module.css'
import { breakOf, type TimeEntry } from './sheet'
import { daysAfter } from './shifts'
import { deductionDecided, deductionTexts, texts } from './texts'

interface DurationProps {
  minutes: number | null
}

/** "8h 05m", read aloud as "8 Stunden 5 Minuten". */
export function Duration({ minutes }: DurationProps) {
  if (minutes === null) return <span className={classes.none}>{texts.noMinutes}</span>
  return (
    <span className={classes.duration}>
      <span aria-hidden="true">{hoursMinutes(minutes)}</span>
      <span className="visually-hidden">{spokenDuration(minutes)}</span>
    </span>
  )
}

/** "07:58–17:02"; marks missing times, running entries and times on another day than the entry's group. */
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
      {/* There is no room between times, but next to a word. */}
      <span
        className={entry.start === null || entry.end === null ? classes.dash : undefined}
        aria-hidden="true"
      >
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

/** The mark of a time on another day than its group. */
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

/** The entry's source: its clock, or a correction. */
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

/** Badges that explain themselves at a press. */
export function Flags({ flags }: { flags: readonly string[] }) {
  if (flags.length === 0) return null
  return (
    <ExplainedBadges
      badges={flags.map(shownFlag).map(({ flag, icon: Icon, ...shown }) => ({
        key: flag,
        icon: <Icon />,
        ...shown,
      }))}
    />
  )
}

/** The deducted break; a press shows its legal basis. `children` is the displayed figure. */
export function Deduction({ entry, children }: { entry: TimeEntry; children: ReactNode }) {
  const { open, button, panel, toggle } = usePanel<HTMLSpanElement>()
  const minutes = breakOf(entry)
  const words = entry.source === 'correction' ? deductionDecided(minutes) : deductionTexts(minutes)
  return (
    <span className={classes.deduction}>
      <button ref={button} type="button" className={classes.why} aria-expanded={open} onClick={toggle}>
        {children}
        <span className="visually-hidden"> {texts.why}</span>
      </button>
      {open && (
        <span ref={panel} className={classes.reason} role="status">
          <strong>{words.label}</strong> {words.explanation}
        </span>
      )}
    </span>
  )
}

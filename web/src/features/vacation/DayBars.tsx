/**
 * A day before and after, as two bars on one scale with the stamps as ticks. The picture is for sighted users; the list
 * has the same content.
 */
import type { components } from '../../api/schema'
import { difference, hoursMinutes, minuteOfDay, span } from '../../ui/durations'
import { Facts } from '../../ui/layout'
import classes from './DayBars.module.css'
import { texts } from './texts'

export type Seen = components['schemas']['CorrectionPreview']
type Entry = Seen['before'][number]

const HOUR = 60
const DAY_MINUTES = 24 * HOUR

/**
 * In minutes since the first midnight: the service sends times in order, so a time before its predecessor is on the
 * next day.
 */
export function onScale({ before, after, stamps }: Seen) {
  const pieces = (entries: readonly Entry[]) => {
    const times = entries.map(({ start, end }) => [start ?? end ?? '', end ?? start ?? ''])
    const ordered = inOrder(times.flat())
    return times.map((_, index) => ({ from: ordered[2 * index] ?? 0, to: ordered[2 * index + 1] ?? 0 }))
  }
  const both = { before: pieces(before), after: pieces(after) }
  const all = [...both.before, ...both.after]
  const axisStart = Math.floor((Math.min(...all.map(({ from }) => from)) - HOUR / 2) / HOUR) * HOUR
  const axisEnd = Math.ceil((Math.max(...all.map(({ to }) => to)) + HOUR / 2) / HOUR) * HOUR
  return { ...both, stamps: inOrder(stamps), begins: axisStart, ends: axisEnd }
}

function inOrder(times: readonly string[]): number[] {
  let last = 0
  return times.map(time => {
    const minute = minuteOfDay(time)
    last = minute + Math.ceil(Math.max(0, last - minute) / DAY_MINUTES) * DAY_MINUTES
    return last
  })
}

const netOf = (entries: readonly Entry[]) => entries.reduce((sum, { minutes }) => sum + (minutes ?? 0), 0)
const breakOf = (entries: readonly Entry[]) =>
  entries.reduce((sum, { breakMinutes }) => sum + (breakMinutes ?? 0), 0)
const timesOf = (entries: readonly Entry[]) =>
  entries.map(({ start, end }) => texts.times(start, end)).join(', ') || texts.noEntry

export function DayBars({ seen }: { seen: Seen }) {
  const { before, after, leavesOut } = seen
  return (
    <>
      {before.length + after.length > 0 && <Picture seen={seen} />}
      <Facts
        sums
        facts={[
          { term: texts.beforeIs(timesOf(before)), value: hoursMinutes(netOf(before)) },
          { term: texts.afterIs(timesOf(after)), value: hoursMinutes(netOf(after)) },
          { term: texts.breakDeducted, value: texts.minutes(breakOf(after)) },
          ...leavesOut.map(({ start, end, minutes }) => ({
            term: texts.leftOut(span(start, end)),
            value: difference(-minutes),
          })),
          { term: texts.differs, value: difference(netOf(after) - netOf(before)), total: true },
        ]}
      />
    </>
  )
}

function Picture({ seen }: { seen: Seen }) {
  const { before, after, stamps, begins, ends } = onScale(seen)
  const share = (minute: number) => `${((minute - begins) / (ends - begins)) * 100}%`
  const hours = Array.from({ length: (ends - begins) / HOUR + 1 }, (_, index) => begins + index * HOUR)
  const step = Math.ceil(hours.length / 9)
  return (
    <div className={classes.picture} aria-hidden="true">
      {(['before', 'after'] as const).map(which => (
        <div key={which} className={classes.bar} data-which={which}>
          <span className={classes.name}>{texts[which]}</span>
          <div className={classes.track}>
            {{ before, after }[which].map(({ from, to }) => (
              <span
                key={from}
                className={classes.piece}
                style={{ left: share(from), width: `calc(${share(to)} - ${share(from)})` }}
              />
            ))}
            {stamps.map(minute => (
              <span key={minute} className={classes.tick} style={{ left: share(minute) }} />
            ))}
          </div>
        </div>
      ))}
      <div className={classes.hours}>
        {hours
          .filter((_, index) => index % step === 0)
          .map(minute => (
            <span key={minute} style={{ left: share(minute) }}>
              {(minute / HOUR + 24) % 24}
            </span>
          ))}
      </div>
    </div>
  )
}

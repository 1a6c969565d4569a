/** A day's entries, as the calendar and the list of days show them; and the legend. */
import type { ReactNode } from 'react'
import { longDay } from '../../ui/days'
import { Clock, Offline } from '../../ui/icons'
import type { CalendarEntry } from '../../ui/MonthCalendar'
import { type Duty, hasBegun, type Leave, type LeaveDay, type SwapState } from './plan'
import { texts } from './texts'
import classes from './things.module.css'

/** The props of both month views. */
export interface MonthProps {
  month: string
  onMonth: (month: string) => void
  now: Date
  today: string
  /** Undefined until loaded. */
  duties: readonly Duty[] | undefined
  leave: readonly Leave[]
  standings: ReadonlyMap<string, SwapState>
  /** The day that a link led to. */
  marked: string | null
  onPress: (duty: Duty) => void
  /** The next duty overall, in any month. */
  next: Duty | null
  onLead: (day: string) => void
  /** Refetches the month. */
  onLook: () => void
  /** The reason for missing content, if any. */
  trouble: ReactNode
}

/** Every duty reads "Dienst", whenever it begins. Past duties, and those with a request, are not interactive. */
export function dutyThing(
  duty: Duty,
  { standings, now, today, onPress }: Pick<MonthProps, 'standings' | 'now' | 'today' | 'onPress'>,
): CalendarEntry {
  const { id, date, news } = duty
  const thing = { id, day: date, label: texts.duty, detail: news }
  const standing = standings.get(date)
  if (standing === 'asked') return { ...thing, tone: 'open', detail: texts.requestOpen, icon: <Clock /> }
  if (standing === 'waiting') return { ...thing, tone: 'open', detail: texts.requestWaits, icon: <Offline /> }
  if (hasBegun(duty, now, today)) return { ...thing, tone: 'duty' }
  return { ...thing, tone: 'duty', onPress: () => onPress(duty), action: texts.handOverOn(longDay(date)) }
}

export function leaveThing(day: string, { id, kind, half }: LeaveDay): CalendarEntry {
  return {
    id,
    day,
    label: kind === 'vacation' ? texts.vacation : texts.wish,
    tone: kind === 'vacation' ? 'leave' : 'note',
    detail: half === null ? undefined : texts.halves[half],
  }
}

export function Legend() {
  return (
    <>
      <span className={classes.meaning}>
        <span className={`${classes.swatch} ${classes.duty}`} />
        {texts.yourDuty}
      </span>
      <span className={classes.meaning}>
        <span className={`${classes.swatch} ${classes.open}`} />
        {texts.requestOpen}
      </span>
    </>
  )
}

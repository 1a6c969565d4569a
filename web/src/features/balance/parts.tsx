/** Durations and days in this page's format. */
import { shortDay } from '../../ui/days'
import { difference, hoursMinutes, spokenDuration } from '../../ui/durations'
import classes from './parts.module.css'

interface AmountProps {
  minutes: number
  /** Whether positive values have a sign, too. */
  signed?: boolean
}

/** "8h 05m", "+8h 05m", read aloud as "8 Stunden 5 Minuten". */
export function Amount({ minutes, signed = false }: AmountProps) {
  const sign = signed && minutes > 0 ? '+' : ''
  return (
    <span className={classes.amount}>
      <span aria-hidden="true">{signed ? difference(minutes) : hoursMinutes(minutes)}</span>
      <span className="visually-hidden">
        {sign}
        {spokenDuration(minutes)}
      </span>
    </span>
  )
}

/** "Mo 02.11." */
export function DayName({ day }: { day: string }) {
  const { weekday, date } = shortDay(day)
  return (
    <span className={classes.day}>
      <span className={classes.weekday}>{weekday}</span> {date}
    </span>
  )
}

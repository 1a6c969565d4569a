/** Warnings of a plan by day and person; each day leads to its dialog. */
import { shortDay } from '../../ui/days'
import classes from './roster.module.css'
import { texts } from './texts'
import type { Roster, Warning } from './useRoster'

interface WarningListProps {
  warnings: readonly Warning[]
  employees: Roster['employees']
  onDay: (day: string) => void
}

export function WarningList({ warnings, employees, onDay }: WarningListProps) {
  const names = new Map(employees?.map(({ id, username }) => [id, username]))
  return (
    <ul className={classes.warnings}>
      {warnings.map(({ code, userId, date }) => (
        <li key={`${code} ${userId} ${date}`}>
          <button type="button" onClick={() => onDay(date)}>
            {shortDay(date).weekday} {shortDay(date).date}
          </button>{' '}
          {names.get(userId)} {texts.codes[code]}
        </li>
      ))}
    </ul>
  )
}

/** The vacation of the year: what there was, what is gone, and what is left. */

import { yearOf } from '../../ui/months'
import classes from './Card.module.css'
import { texts } from './texts'
import type { Vacation } from './useAccount'

export function VacationCard({ month, vacation }: { month: string; vacation: Vacation }) {
  const title = texts.vacation(yearOf(month))
  return (
    <section className={classes.card} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <dl className={classes.sums}>
        <Days name={texts.allowance} days={vacation.allowance} />
        <Days name={texts.carriedDays} days={vacation.carried} />
        {vacation.booked !== 0 && <Days name={texts.bookedDays} days={vacation.booked} />}
        <Days name={texts.used} days={-vacation.used} />
        <div className={classes.rest}>
          <dt>{texts.remaining}</dt>
          <dd>{texts.days(vacation.remaining)}</dd>
        </div>
        <Days name={texts.reserved} days={vacation.reserved} />
      </dl>
      {vacation.reserved !== 0 && <p className={classes.note}>{texts.reservedNote}</p>}
    </section>
  )
}

function Days({ name, days }: { name: string; days: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{texts.days(days)}</dd>
    </div>
  )
}

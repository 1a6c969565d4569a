/** The month in four figures, with hints about the whole month. */
import { Link, useLocation } from 'react-router'
import { shortDay } from '../../ui/days'
import { Duration } from './entryParts'
import classes from './MonthSums.module.css'
import { placeOf } from './place'
import type { Sheet } from './sheet'
import { texts } from './texts'

export function MonthSums({ sheet }: { sheet: Sheet }) {
  const worked = sheet.days.filter(day => day.sums.raw > 0).length
  return (
    <section className={classes.sums} aria-label={texts.sum}>
      <dl className={classes.list}>
        <div className={classes.main}>
          <dt>{texts.net}</dt>
          <dd>
            <Duration minutes={sheet.sums.net} />
          </dd>
        </div>
        <div>
          <dt>{texts.raw}</dt>
          <dd>
            <Duration minutes={sheet.sums.raw} />
          </dd>
        </div>
        <div>
          <dt>{texts.breaks}</dt>
          <dd>
            <Duration minutes={sheet.sums.breaks} />
          </dd>
        </div>
        <div>
          <dt>{texts.days}</dt>
          <dd className="tabular">{worked}</dd>
        </div>
      </dl>
      <Remarks sheet={sheet} />
    </section>
  )
}

function Remarks({ sheet }: { sheet: Sheet }) {
  const clock = sheet.usualClock
  if (sheet.incomplete === 0 && clock === null) return null
  return (
    <div className={classes.remarks}>
      {sheet.incomplete > 0 && (
        <p className={classes.missing}>
          {texts.notCounted(sheet.incomplete)}
          {sheet.incompleteDays.map(day => (
            <ToDay key={day} day={day} />
          ))}
        </p>
      )}
      {clock !== null && <p>{sheet.differs.sources ? texts.mostAt(clock) : texts.allAt(clock)}</p>}
    </div>
  )
}

/** Scrolls to a day of this page, and focuses it. */
function ToDay({ day }: { day: string }) {
  const { search } = useLocation()
  const { weekday, date } = shortDay(day)
  return (
    <Link
      to={{ search, hash: placeOf(day) }}
      replace
      preventScrollReset
      onClick={() => {
        const place = document.getElementById(placeOf(day))
        place?.scrollIntoView({ block: 'start' })
        place?.focus({ preventScroll: true })
      }}
    >
      {texts.toDay(`${weekday} ${date}`)}
    </Link>
  )
}

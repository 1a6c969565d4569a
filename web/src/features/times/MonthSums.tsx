/** The month in four figures. */
import { Duration } from './entryParts'
import classes from './MonthSums.module.css'
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
      {sheet.incomplete > 0 && <p className={classes.remark}>{texts.notCounted(sheet.incomplete)}</p>}
    </section>
  )
}

/** The user's vacation of the year: the remainder, as a figure and as a bar, and its parts. */
import { Notice } from '../../ui/Notice'
import classes from './Account.module.css'
import { texts } from './texts'
import type { Policy } from './useAbsences'

export function Account({ policy }: { policy: Policy }) {
  const {
    myAllowance,
    carried,
    booked,
    lapsed = 0,
    used,
    reserved,
    remainingDays,
    vacationEnabled,
    year,
  } = policy
  const total = myAllowance + carried + booked - lapsed
  const isEmpty = !vacationEnabled && total === 0 && used === 0
  return (
    <div className={classes.account}>
      <h2 className={classes.title}>{texts.account(year)}</h2>
      {!vacationEnabled && (
        <Notice title={texts.disabled}>
          <p>{texts.wishesStill}</p>
        </Notice>
      )}
      {!isEmpty && (
        <>
          <p className={classes.remaining}>
            {texts.remaining} <span className={classes.figure}>{texts.left(remainingDays)}</span>{' '}
            {texts.remainingOf(total)}
          </p>
          <Bar total={total} used={used} reserved={reserved} />
          <dl className={classes.facts}>
            <Fact name={texts.used} days={used} mark={classes.used} />
            <Fact name={texts.reserved} days={reserved} mark={classes.reserved} />
            <Fact name={texts.allowance} days={myAllowance} />
            <Fact name={texts.carried} days={carried} />
            {lapsed > 0 && <Fact name={texts.lapsed} days={-lapsed} />}
            {booked !== 0 && <Fact name={texts.booked} days={booked} />}
          </dl>
        </>
      )}
    </div>
  )
}

/** A summary of the figures below. */
function Bar({ total, used, reserved }: { total: number; used: number; reserved: number }) {
  const share = (days: number) => `${Math.max(0, Math.min(100, (days / total) * 100))}%`
  if (total <= 0) return null
  return (
    <div className={classes.bar} aria-hidden="true">
      <span className={classes.used} style={{ width: share(used) }} />
      <span className={classes.reserved} style={{ width: share(Math.min(reserved, total - used)) }} />
    </div>
  )
}

function Fact({ name, days, mark }: { name: string; days: number; mark?: string | undefined }) {
  return (
    <div className={classes.fact}>
      <dt>
        {mark !== undefined && <span className={`${classes.mark} ${mark}`} aria-hidden="true" />}
        {name}
      </dt>
      <dd>{texts.days(days)}</dd>
    </div>
  )
}

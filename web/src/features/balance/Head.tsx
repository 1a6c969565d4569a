/** The main figure: the user's balance. */
import { hoursMinutes } from '../../ui/durations'
import classes from './Head.module.css'
import type { Ledger } from './ledger'
import { Amount } from './parts'
import { texts } from './texts'
import type { MonthAccount } from './useAccount'

interface HeadProps {
  account: MonthAccount
  ledger: Ledger
  today: string
}

export function Head({ account, ledger, today }: HeadProps) {
  const minutes = account.balanceToDateMinutes
  const due = account.days.find(({ date }) => date === today)?.targetMinutes ?? 0
  const isTodayCounted = ledger.phase === 'present' && ledger.until === today && due > 0
  return (
    <div className={classes.head}>
      <h2 className={classes.name}>{nameOf(account.month, ledger, today)}</h2>
      <p className={classes.figure}>
        <Amount minutes={minutes} signed />
        <span className={classes.word}>
          {minutes < 0 ? texts.under : minutes > 0 ? texts.over : texts.even}
        </span>
      </p>
      {account.targetMinutes === 0 ? (
        <p className={classes.hint}>{texts.noTarget}</p>
      ) : (
        isTodayCounted && <p className={classes.hint}>{texts.todayTarget(hoursMinutes(due))}</p>
      )}
    </div>
  )
}

function nameOf(month: string, { phase, until }: Ledger, today: string): string {
  if (phase === 'future' || until === null) return texts.balanceBegin(month)
  if (until === today) return texts.balanceToday
  return phase === 'past' ? texts.balanceEnd(month) : texts.balanceUntil(until)
}

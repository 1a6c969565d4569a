/** "Zeitkonto": the user's balance, its parts, and the month and the year as charts. */
import { Link } from 'react-router'
import { MonthPage } from '../../patterns/MonthPage'
import { QueryView } from '../../patterns/QueryView'
import type { Stored } from '../../patterns/useStored'
import { dayOf } from '../../ui/days'
import { Clock } from '../../ui/icons'
import { now } from '../../ui/now'
import { EmptyState } from '../../ui/states'
import { useNow } from '../../ui/useNow'
import classes from './BalancePage.module.css'
import { BalanceSkeleton, PictureSkeleton } from './BalanceSkeleton'
import { Head } from './Head'
import { LedgerCard } from './LedgerCard'
import { isEmpty, ledgerOf } from './ledger'
import { hasAny, MonthPicture, YearPicture } from './pictures'
import { StatementCard } from './StatementCard'
import { texts } from './texts'
import {
  type MonthAccount,
  useEntries,
  useLiveAccount,
  useMonthAccount,
  useYearAccount,
  type YearAccount,
} from './useAccount'
import { VacationCard } from './VacationCard'

interface BalancePageProps {
  userId: string
  month: string
  onMonth: (month: string) => void
}

export function BalancePage({ userId, month, onMonth }: BalancePageProps) {
  const account = useMonthAccount(userId, month)
  const year = useYearAccount(userId, month)
  const live = useLiveAccount(userId)
  return (
    <MonthPage
      title={texts.title}
      month={month}
      onMonth={onMonth}
      live={live}
      savedAt={account.savedAt}
      offline={account.data === undefined ? undefined : texts.offline}
      printed={texts.printed}
    >
      <QueryView
        query={shownOf(account)}
        failed={texts.failed}
        failedAgain={texts.failedAgain}
        offline={texts.notStored}
        skeleton={<BalanceSkeleton />}
      >
        {known => (
          <Account
            key={month}
            userId={userId}
            account={known}
            savedAt={account.savedAt ?? now().getTime()}
            year={year}
            onMonth={onMonth}
          />
        )}
      </QueryView>
    </MonthPage>
  )
}

/** Stored data is no error: the banner shows its age. */
const shownOf = <Data,>(view: Stored<Data>) => (view.stored ? { ...view, error: null } : view)

interface AccountProps {
  userId: string
  account: MonthAccount
  savedAt: number
  year: Stored<YearAccount>
  onMonth: (month: string) => void
}

function Account({ userId, account, savedAt, year, onMonth }: AccountProps) {
  const entries = useEntries(userId, account.month)
  const savedDay = dayOf(new Date(savedAt))
  const today = dayOf(useNow(60_000))
  const ledger = ledgerOf(account, savedDay)
  const empty = isEmpty(account)
  return (
    <>
      <div className={classes.columns}>
        {empty ? (
          <EmptyState
            picture={<Clock size={40} strokeWidth={1.6} />}
            sentence={texts.empty(account.month)}
            action={<Link to="?tab=my_times">{texts.toTimes}</Link>}
          />
        ) : (
          <section className={classes.main} aria-label={texts.ledger(account.month)}>
            <Head account={account} ledger={ledger} today={today} />
            <LedgerCard
              account={account}
              ledger={ledger}
              today={today}
              entries={entries}
              year={year.data ?? null}
            />
          </section>
        )}
        <div className={classes.aside}>
          <VacationCard month={account.month} vacation={account.vacation} />
          <StatementCard userId={userId} month={account.month} today={today} />
        </div>
      </div>
      {!empty && <MonthPicture account={account} today={today} />}
      <QueryView
        query={shownOf(year)}
        failed={texts.yearFailed}
        offline={texts.yearNotStored}
        skeleton={<PictureSkeleton />}
      >
        {known =>
          known.months.some(hasAny) && (
            <YearPicture year={known} shown={account.month} today={today} onMonth={onMonth} />
          )
        }
      </QueryView>
    </>
  )
}

/** A person's page for the company's administrator: balance, times, employment, bookings. */
import { Link } from 'react-router'
import { useModules } from '../../../entities/modules/useModules'
import { RoleBadge } from '../../../entities/people/parts'
import { useDeleted, usePeople } from '../../../entities/people/usePeople'
import { Times } from '../../../entities/times/Times'
import { Export } from '../../../patterns/Export'
import { MonthPage } from '../../../patterns/MonthPage'
import { Page } from '../../../patterns/Page'
import { QueryView } from '../../../patterns/QueryView'
import { useMonthInAddress } from '../../../patterns/useMonthInAddress'
import { difference, hoursMinutes } from '../../../ui/durations'
import { Card, Facts } from '../../../ui/layout'
import { yearOf } from '../../../ui/months'
import { EmptyState, Skeleton, SkeletonRows } from '../../../ui/states'
import { Bookings } from './Bookings'
import { EmploymentCard } from './Employment'
import { Records } from './Records'
import { texts } from './texts'
import { type MonthAccount, useMonthAccount } from './useEmployment'

const back = <Link to="?tab=manage_employees">{texts.back}</Link>

export function PersonPage({ companyId, userId }: { companyId: string; userId: string }) {
  const people = usePeople(companyId)
  const deleted = useDeleted(companyId).data?.find(({ id }) => id === userId)
  const [month, setMonth] = useMonthInAddress()
  const may = useModules(companyId).data?.some(({ key }) => key === 'hours_config') ?? false
  const user = people.data?.find(({ id }) => id === userId)
  if (deleted !== undefined) {
    return (
      <Page title={deleted.username} actions={back}>
        <Records companyId={companyId} user={deleted} />
      </Page>
    )
  }
  if (user === undefined) {
    return (
      <Page title={texts.title}>
        <QueryView query={people} failed={texts.loadFailed} skeleton={<SkeletonRows />}>
          {() => <EmptyState sentence={texts.nobody} action={back} />}
        </QueryView>
      </Page>
    )
  }
  const statement = `/api/users/${encodeURIComponent(userId)}/statement?month=${month}&format=pdf`
  return (
    <MonthPage
      title={user.username}
      actions={
        <>
          <RoleBadge user={user} />
          {back}
        </>
      }
      month={month}
      onMonth={setMonth}
      exports={
        <Export
          files={[{ key: 'pdf', label: texts.statement, path: statement, name: texts.statementName(month) }]}
          failed={texts.statementFailed}
        />
      }
    >
      <Account userId={userId} month={month} />
      <Times userId={userId} month={month} />
      {may && <EmploymentCard userId={userId} />}
      {may && <Bookings user={user} />}
      <Records companyId={companyId} user={user} />
    </MonthPage>
  )
}

function Account({ userId, month }: { userId: string; month: string }) {
  const account = useMonthAccount(userId, month)
  return (
    <QueryView query={account} failed={texts.accountFailed} skeleton={<Skeleton height={220} />}>
      {known => <CurrentBalance account={known} month={month} />}
    </QueryView>
  )
}

function CurrentBalance({ account, month }: { account: MonthAccount; month: string }) {
  const { vacation } = account
  const credited = account.credits.reduce((sum, { minutes }) => sum + minutes, 0)
  return (
    <>
      <Card title={texts.accountTitle(month)} narrow>
        <Facts
          sums
          facts={[
            { term: texts.carried, value: difference(account.carriedMinutes) },
            { term: texts.actual, value: hoursMinutes(account.actualMinutes) },
            { term: texts.credited, value: hoursMinutes(credited) },
            { term: texts.booked, value: difference(account.bookingMinutes) },
            { term: texts.target, value: hoursMinutes(account.targetMinutes) },
            { term: texts.balanceToDate, value: difference(account.balanceToDateMinutes), total: true },
          ]}
        />
      </Card>
      <Card title={texts.vacationTitle(yearOf(month))} narrow>
        <Facts
          sums
          facts={[
            { term: texts.allowance, value: texts.days(vacation.allowance) },
            { term: texts.carriedDays, value: texts.days(vacation.carried) },
            { term: texts.bookedDays, value: texts.days(vacation.booked) },
            { term: texts.used, value: texts.days(-vacation.used) },
            vacation.lapsed !== 0 && { term: texts.lapsed, value: texts.days(-vacation.lapsed) },
            { term: texts.remaining, value: texts.days(vacation.remaining), total: true },
            { term: texts.reserved, value: texts.days(vacation.reserved) },
          ]}
        />
      </Card>
    </>
  )
}

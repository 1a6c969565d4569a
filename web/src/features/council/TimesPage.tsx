/** A person's month for the works council: the stamps and the account. */
import { useSearchParams } from 'react-router'
import type { components } from '../../api/schema'
import { usePeople } from '../../entities/people/usePeople'
import { Times } from '../../entities/times/Times'
import { MonthPage } from '../../patterns/MonthPage'
import { QueryView } from '../../patterns/QueryView'
import { useGet } from '../../patterns/useGet'
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import { difference, hoursMinutes } from '../../ui/durations'
import { Card, Facts } from '../../ui/layout'
import { Select } from '../../ui/Select'
import { EmptyState, Skeleton } from '../../ui/states'
import type { PageProps } from '../feature'
import { texts } from './texts'

type MonthAccount = components['schemas']['MonthAccount']

export function TimesPage({ session: { companyId } }: PageProps) {
  const [month, show] = useMonthInAddress()
  const [userId, choose] = usePersonInAddress()
  const people = usePeople(companyId)
  return (
    <MonthPage
      title={texts.timesTitle}
      lead={texts.lead}
      offline={texts.offline}
      month={month}
      onMonth={show}
    >
      <QueryView query={people} failed={texts.peopleFailed} skeleton={<Skeleton height={44} />}>
        {known => (
          <Select
            label={texts.person}
            searchable
            data={known.map(({ id, username }) => ({ value: id, label: username }))}
            value={userId}
            onChange={choose}
            nothingFoundMessage={texts.nobodyFound}
            maw={360}
          />
        )}
      </QueryView>
      {userId === null ? (
        <EmptyState sentence={texts.choosePerson} />
      ) : (
        <Month key={userId} userId={userId} month={month} />
      )}
    </MonthPage>
  )
}

function usePersonInAddress(): [userId: string | null, choose: (userId: string) => void] {
  const [search, setSearch] = useSearchParams()
  const choose = (userId: string) =>
    setSearch(previous => new URLSearchParams({ ...Object.fromEntries(previous), person: userId }))
  return [search.get('person'), choose]
}

function Month({ userId, month }: { userId: string; month: string }) {
  const account = useGet('/api/users/{userId}/account', { path: { userId }, query: { month } })
  return (
    <>
      <QueryView query={account} failed={texts.accountFailed} skeleton={<Skeleton height={200} />}>
        {known => <Account month={month} account={known as MonthAccount} />}
      </QueryView>
      <Times userId={userId} month={month} />
    </>
  )
}

function Account({ month, account }: { month: string; account: MonthAccount }) {
  const credited = account.credits.reduce((sum, { minutes }) => sum + minutes, 0)
  return (
    <Card title={texts.account(month)} narrow>
      <Facts
        sums
        facts={[
          { term: texts.target, value: hoursMinutes(account.targetMinutes) },
          { term: texts.actual, value: hoursMinutes(account.actualMinutes) },
          { term: texts.credited, value: hoursMinutes(credited) },
          { term: texts.balance, value: difference(account.balanceMinutes) },
          { term: texts.toDate, value: difference(account.balanceToDateMinutes), total: true },
        ]}
      />
    </Card>
  )
}

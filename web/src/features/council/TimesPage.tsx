/** Somebody's month, as the works council reads it: what was stamped, and the account. */
import { useSearchParams } from 'react-router'
import type { components } from '../../api/schema'
import { shownFlag } from '../../entities/entries/flags'
import { usePeople } from '../../entities/people/usePeople'
import { MonthPage } from '../../patterns/MonthPage'
import { Served } from '../../patterns/Served'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { useGet } from '../../patterns/useGet'
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import { longDay } from '../../ui/days'
import { difference, hoursMinutes, span } from '../../ui/durations'
import { Card, Facts } from '../../ui/layout'
import { bounds } from '../../ui/months'
import { Select } from '../../ui/Select'
import { EmptyState, Skeleton } from '../../ui/states'
import type { PageProps } from '../feature'
import { texts } from './texts'

type Entry = components['schemas']['TimeEntryRow']
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
      <Served query={people} failed={texts.peopleFailed} skeleton={<Skeleton height={44} />}>
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
      </Served>
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
    setSearch(known => new URLSearchParams({ ...Object.fromEntries(known), person: userId }))
  return [search.get('person'), choose]
}

function Month({ userId, month }: { userId: string; month: string }) {
  const path = { userId }
  const times = useGet('/api/users/{userId}/times', { path, query: bounds(month) })
  const account = useGet('/api/users/{userId}/account', { path, query: { month } })
  return (
    <>
      <Served query={account} failed={texts.accountFailed} skeleton={<Skeleton height={200} />}>
        {known => <Account month={month} account={known as MonthAccount} />}
      </Served>
      <Served query={times} failed={texts.timesFailed} skeleton={<TableSkeleton columns={COLUMNS} />}>
        {entries => (
          <DataTable
            caption={texts.times(month)}
            rows={entries}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            groupOf={({ date }) => longDay(date)}
            room={641}
            empty={<EmptyState sentence={texts.noTimes} />}
          />
        )}
      </Served>
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

const endOf = ({ end, running }: Entry) => end ?? (running ? texts.runs : texts.missing)

const COLUMNS: readonly Column<Entry>[] = [
  {
    key: 'span',
    head: texts.span,
    names: true,
    cell: entry => <span className="tabular">{span(entry.start ?? texts.missing, endOf(entry))}</span>,
  },
  { key: 'breaks', head: texts.breaks, align: 'end', cell: ({ breakMinutes }) => breakMinutes ?? '' },
  {
    key: 'net',
    head: texts.net,
    align: 'end',
    cell: ({ workedMinutesNet: net }) => (net === null ? '' : hoursMinutes(net)),
    sum: rows => hoursMinutes(rows.reduce((sum, { workedMinutesNet }) => sum + (workedMinutesNet ?? 0), 0)),
  },
  {
    key: 'hints',
    head: texts.hints,
    cell: ({ flags }) => flags.map(flag => shownFlag(flag).label).join(', '),
  },
]

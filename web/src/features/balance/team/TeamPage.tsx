/** "Zeitkonten": the month of all employees in one table. */
import type { components } from '../../../api/schema'
import { shownFlag } from '../../../entities/entries/flags'
import { PersonLink } from '../../../entities/people/PersonLink'
import { MonthPage } from '../../../patterns/MonthPage'
import { QueryView } from '../../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../../patterns/table/DataTable'
import { useGet } from '../../../patterns/useGet'
import { useMonthInAddress } from '../../../patterns/useMonthInAddress'
import { Button } from '../../../ui/Button'
import { difference, hoursMinutes } from '../../../ui/durations'
import { Refresh } from '../../../ui/icons'
import { monthName } from '../../../ui/months'
import { now } from '../../../ui/now'
import { EmptyState } from '../../../ui/states'
import type { PageProps } from '../../feature'
import { texts } from './texts'

export type AccountRow = components['schemas']['PersonsMonthRow']

export function TeamPage({ session: { companyId } }: PageProps) {
  const [month, show] = useMonthInAddress()
  // Not live: each refetch recomputes all accounts.
  const accounts = useGet('/api/companies/{id}/accounts', { path: { id: companyId }, query: { month } })
  // In the device's time, since the age is measured by it.
  const askedAt = accounts.dataUpdatedAt
  return (
    <MonthPage
      title={texts.title}
      lead={texts.lead}
      month={month}
      onMonth={show}
      savedAt={askedAt === 0 ? null : now().getTime() - (Date.now() - askedAt)}
      actions={
        <Button
          icon={<Refresh size={18} />}
          busy={accounts.isFetching && accounts.data !== undefined}
          onClick={() => void accounts.refetch()}
        >
          {texts.reload}
        </Button>
      }
    >
      <QueryView query={accounts} failed={texts.failed} skeleton={<TableSkeleton columns={COLUMNS} />}>
        {rows => (
          <DataTable
            key={month}
            caption={texts.list(monthName(month))}
            rows={rows}
            columns={COLUMNS}
            keyOf={({ userId }) => userId}
            sortedBy="name"
            search={{
              label: texts.search,
              matches: ({ username }, words) => lower(username).includes(lower(words.trim())),
              nothing: texts.nobody,
            }}
            csv={texts.file(month)}
            room={1240}
            empty={<EmptyState sentence={texts.empty} />}
          />
        )}
      </QueryView>
    </MonthPage>
  )
}

const lower = (text: string) => text.toLocaleLowerCase('de')

type Minutes = 'targetMinutes' | 'actualMinutes' | 'creditMinutes' | 'balanceMinutes' | 'balanceToDateMinutes'

/** On one line; in the csv as hours, which a spreadsheet can sum. */
const figure = (key: Minutes, head: string, said: (minutes: number) => string): Column<AccountRow> => ({
  key,
  head,
  align: 'end',
  sortBy: row => row[key],
  text: row => Math.round(row[key] / 0.6) / 100,
  cell: row => joined(said(row[key])),
  // Wraps to two lines rather than overflowing the card, where many people make large sums.
  sum: rows => said(total(rows, key)),
})

const joined = (text: string) => text.replaceAll(' ', '\u00a0')

const total = (rows: readonly AccountRow[], key: Minutes | 'vacationRemaining') =>
  rows.reduce((sum, row) => sum + row[key], 0)

const hintsOf = ({ flags }: AccountRow) => flags.map(flag => shownFlag(flag).label).join(', ')

const COLUMNS: readonly Column<AccountRow>[] = [
  {
    key: 'name',
    head: texts.name,
    names: true,
    sortBy: ({ username }) => username,
    cell: ({ userId, username }) => <PersonLink userId={userId} username={username} />,
  },
  figure('targetMinutes', texts.target, hoursMinutes),
  figure('actualMinutes', texts.actual, hoursMinutes),
  figure('creditMinutes', texts.credits, hoursMinutes),
  figure('balanceMinutes', texts.balance, difference),
  figure('balanceToDateMinutes', texts.toDate, difference),
  {
    key: 'vacation',
    head: texts.vacation,
    align: 'end',
    sortBy: ({ vacationRemaining }) => vacationRemaining,
    cell: ({ vacationRemaining }) => texts.days(vacationRemaining),
    sum: rows => texts.days(total(rows, 'vacationRemaining')),
  },
  {
    key: 'hints',
    head: texts.hints,
    sortBy: ({ flags }) => flags.length,
    text: hintsOf,
    cell: hintsOf,
  },
]

/** The company's duties of a month, by day, for the works council. */
import type { components } from '../../api/schema'
import { MonthPage } from '../../patterns/MonthPage'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { useGet } from '../../patterns/useGet'
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import { longDay } from '../../ui/days'
import { span } from '../../ui/durations'
import { bounds } from '../../ui/months'
import { EmptyState } from '../../ui/states'
import type { PageProps } from '../feature'
import { texts } from './texts'

type Duty = components['schemas']['DutyRow']

export function PlanPage({ session: { companyId } }: PageProps) {
  const [month, show] = useMonthInAddress()
  const plan = useGet(
    '/api/companies/{companyId}/schedule',
    { path: { companyId }, query: bounds(month) },
    { whole: true },
  )
  return (
    <MonthPage title={texts.planTitle} lead={texts.lead} offline={texts.offline} month={month} onMonth={show}>
      <QueryView query={plan} failed={texts.planFailed} skeleton={<TableSkeleton columns={COLUMNS} />}>
        {duties => (
          <DataTable
            key={month}
            caption={texts.plan(month)}
            rows={duties}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            groupOf={({ date }) => longDay(date)}
            search={{
              label: texts.search,
              matches: ({ username }, words) =>
                username.toLocaleLowerCase('de').includes(words.trim().toLocaleLowerCase('de')),
              nothing: texts.nobodyFound,
            }}
            room={641}
            empty={<EmptyState sentence={texts.noDuties} />}
          />
        )}
      </QueryView>
    </MonthPage>
  )
}

const COLUMNS: readonly Column<Duty>[] = [
  {
    key: 'name',
    head: texts.person,
    names: true,
    sortBy: duty => duty.username,
    cell: duty => duty.username,
  },
  {
    key: 'times',
    head: texts.duty,
    cell: ({ start, end }) => (start === null ? texts.duty : span(start, end ?? '…')),
  },
]

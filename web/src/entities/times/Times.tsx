/** Another person's month, entry by entry, for authorised readers. */
import type { components } from '../../api/schema'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { useGet } from '../../patterns/useGet'
import { longDay } from '../../ui/days'
import { hoursMinutes, span } from '../../ui/durations'
import { bounds } from '../../ui/months'
import { EmptyState } from '../../ui/states'
import { shownFlag } from '../entries/flags'
import { texts } from './texts'

type Entry = components['schemas']['TimeEntryRow']

const LIVE = ['times_update', 'plan_update']

export function Times({ userId, month }: { userId: string; month: string }) {
  const params = { path: { userId }, query: bounds(month) }
  const times = useGet('/api/users/{userId}/times', params, { live: LIVE })
  return (
    <QueryView query={times} failed={texts.failed} skeleton={<TableSkeleton columns={COLUMNS} />}>
      {entries => (
        <DataTable
          caption={texts.times(month)}
          rows={entries}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          groupOf={({ date }) => longDay(date)}
          room={641}
          empty={<EmptyState sentence={texts.none} />}
        />
      )}
    </QueryView>
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
  {
    key: 'breaks',
    head: texts.breaks,
    align: 'end',
    cell: ({ breakMinutes: minutes }) => (minutes === null ? '' : hoursMinutes(minutes)),
  },
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

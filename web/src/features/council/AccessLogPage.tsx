/** Administrators' accesses to employees' times; only for the works council. */
import { useState } from 'react'
import type { components } from '../../api/schema'
import { Older } from '../../patterns/Older'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { usePages } from '../../patterns/usePages'
import { DayInput } from '../../ui/dates'
import { dayOf, longDay, timeOf } from '../../ui/days'
import { Buttons, Toolbar } from '../../ui/layout'
import { EmptyState } from '../../ui/states'
import type { PageProps } from '../feature'
import { texts } from './texts'

type Look = components['schemas']['AccessRow']

export function AccessLogPage({ session: { companyId } }: PageProps) {
  const [span, setSpan] = useState({ from: '', to: '' })
  const query = Object.fromEntries(Object.entries(span).filter(([, day]) => day !== ''))
  const looks = usePages('/api/companies/{id}/access-log', { path: { id: companyId }, query })
  return (
    <Page title={texts.looksTitle} lead={texts.looksLead} offline={texts.offline}>
      <Toolbar>
        <Buttons>
          <DayInput label={texts.from} value={span.from} onChange={from => setSpan({ ...span, from })} />
          <DayInput label={texts.to} value={span.to} onChange={to => setSpan({ ...span, to })} />
        </Buttons>
      </Toolbar>
      <QueryView query={looks.rows} failed={texts.looksFailed} skeleton={<TableSkeleton columns={COLUMNS} />}>
        {rows => (
          <DataTable
            caption={texts.looks}
            rows={rows}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            groupOf={({ at }) => longDay(dayOf(new Date(at)))}
            csv={texts.looks}
            room={641}
            empty={<EmptyState sentence={texts.noLooks} />}
            older={<Older list={looks.list} texts={texts} />}
          />
        )}
      </QueryView>
    </Page>
  )
}

const subjectNames = ({ subjects }: Look) =>
  subjects.length === 0
    ? texts.everybody
    : subjects.map(({ username }) => username ?? texts.unknown).join(', ')

const COLUMNS: readonly Column<Look>[] = [
  {
    key: 'at',
    head: texts.at,
    text: ({ at }) => `${dayOf(new Date(at))} ${timeOf(new Date(at))}`,
    cell: ({ at }) => <time dateTime={at}>{timeOf(new Date(at))}</time>,
  },
  {
    key: 'who',
    head: texts.who,
    names: true,
    text: ({ actorName }) => actorName ?? texts.unknown,
    cell: ({ actorName }) => actorName ?? texts.unknown,
  },
  {
    key: 'what',
    head: texts.what,
    text: ({ what }) => texts.kinds[what],
    cell: ({ what }) => texts.kinds[what],
  },
  { key: 'whose', head: texts.whose, text: subjectNames, cell: subjectNames },
]

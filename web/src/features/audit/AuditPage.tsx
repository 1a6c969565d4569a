/** "Änderungsprotokoll": the company's log of decisions, read-only. */
import { useState } from 'react'
import { Older } from '../../patterns/Older'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { dayOf, longDay, timeOf } from '../../ui/days'
import { numericDay } from '../../ui/dayText'
import { Scroll } from '../../ui/icons'
import { EmptyState } from '../../ui/states'
import { AuditFilters, ClearFilter } from './AuditFilters'
import { Details } from './entryParts'
import { texts } from './texts'
import { type Filter, isReversed, NO_FILTER, useAudit } from './useAudit'
import { type AuditEntry, actorOf, type Words } from './words'

interface AuditPageProps {
  companyId: string
  words: Words
}

export function AuditPage({ companyId, words }: AuditPageProps) {
  const [filter, setFilter] = useState(NO_FILTER)
  const log = useAudit(companyId, filter)
  const loadedRows = log.rows.data
  return (
    <Page title={texts.title} lead={texts.lead} offline={texts.offline}>
      <AuditFilters
        companyId={companyId}
        filter={filter}
        onFilter={setFilter}
        words={words}
        seen={loadedRows ?? []}
        clearable={loadedRows?.length !== 0}
      />
      {!isReversed(filter) && (
        <Log
          key={Object.values(filter).join(' ')}
          log={log}
          filter={filter}
          words={words}
          onClear={() => setFilter(NO_FILTER)}
        />
      )}
    </Page>
  )
}

interface LogProps {
  log: ReturnType<typeof useAudit>
  filter: Filter
  words: Words
  onClear: () => void
}

function Log({ log, filter, words, onClear }: LogProps) {
  const columns = columnsOf(words)
  return (
    <QueryView query={log.rows} failed={texts.failed} skeleton={<TableSkeleton columns={columns} />}>
      {entries => (
        <DataTable
          caption={texts.list}
          rows={entries}
          columns={columns}
          keyOf={entry => entry.id}
          groupOf={entry => longDay(dayOf(new Date(entry.at)))}
          details={entry => <Details entry={entry} words={words} />}
          csv={texts.title}
          room={641}
          empty={<EmptyLog filtered={filter !== NO_FILTER} onClear={onClear} />}
          older={<Older list={log.list} texts={texts} />}
        />
      )}
    </QueryView>
  )
}

const columnsOf = (words: Words): Column<AuditEntry>[] => [
  {
    key: 'at',
    head: texts.time,
    text: ({ at }) => `${numericDay(dayOf(new Date(at)))}, ${timeOf(new Date(at))}`,
    cell: ({ at }) => <time dateTime={at}>{timeOf(new Date(at))}</time>,
  },
  {
    key: 'what',
    head: texts.kind,
    names: true,
    text: entry => words.sentenceOf(entry),
    cell: entry => words.sentenceOf(entry),
  },
  { key: 'who', head: texts.person, text: actorOf, cell: entry => actorOf(entry) },
]

function EmptyLog({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return (
    <EmptyState
      picture={<Scroll size={40} strokeWidth={1.6} />}
      sentence={filtered ? texts.emptyFiltered : texts.empty}
      action={filtered ? <ClearFilter onClear={onClear} /> : undefined}
    />
  )
}

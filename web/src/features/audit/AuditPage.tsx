/** "Änderungsprotokoll": who decided what and when, as the company's log keeps it. It can only be read. */
import { useState } from 'react'
import { Older } from '../../patterns/Older'
import { Page } from '../../patterns/Page'
import { Served } from '../../patterns/Served'
import { Scroll } from '../../ui/icons'
import { EmptyState, SkeletonRows } from '../../ui/states'
import { AuditDays } from './AuditDays'
import { AuditFilters, ClearFilter } from './AuditFilters'
import { texts } from './texts'
import { type Filter, isReversed, NO_FILTER, useAudit } from './useAudit'
import type { Words } from './words'

interface AuditPageProps {
  companyId: string
  words: Words
}

export function AuditPage({ companyId, words }: AuditPageProps) {
  const [filter, setFilter] = useState(NO_FILTER)
  const log = useAudit(companyId, filter)
  const seen = log.rows.data
  return (
    <Page title={texts.title} lead={texts.lead} offline={texts.offline}>
      <AuditFilters
        companyId={companyId}
        filter={filter}
        onFilter={setFilter}
        words={words}
        seen={seen ?? []}
        clearable={seen?.length !== 0}
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
  return (
    <Served query={log.rows} failed={texts.failed} skeleton={<SkeletonRows />}>
      {entries =>
        entries.length === 0 ? (
          <Nothing filtered={filter !== NO_FILTER} onClear={onClear} />
        ) : (
          <>
            <AuditDays entries={entries} words={words} />
            <Older list={log.list} texts={texts} />
          </>
        )
      }
    </Served>
  )
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return (
    <EmptyState
      picture={<Scroll size={40} strokeWidth={1.6} />}
      sentence={filtered ? texts.emptyFiltered : texts.empty}
      action={filtered ? <ClearFilter onClear={onClear} /> : undefined}
    />
  )
}

/** "Änderungsprotokoll": who decided what and when, as the company's log keeps it. It can only be read. */
import { useEffect, useRef, useState } from 'react'
import { Page } from '../../patterns/Page'
import { Served, Stale } from '../../patterns/Served'
import { Button } from '../../ui/Button'
import { useFocusPassedOn } from '../../ui/focus'
import { Scroll } from '../../ui/icons'
import { EmptyState, Skeleton } from '../../ui/states'
import { AuditDays } from './AuditDays'
import { AuditFilters, ClearFilter } from './AuditFilters'
import classes from './AuditPage.module.css'
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
  const seen = log.data?.pages.flatMap(page => page.entries)
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
  // What is there stays: of what did not come is spoken below, where it is missing.
  const query = log.data === undefined ? log : { ...log, error: null }
  return (
    <Served query={query} failed={texts.failed} skeleton={<LogSkeleton />}>
      {({ pages }) => {
        const entries = pages.flatMap(page => page.entries)
        if (entries.length === 0) return <Nothing filtered={filter !== NO_FILTER} onClear={onClear} />
        return (
          <>
            <AuditDays entries={entries} words={words} />
            <Older log={log} />
          </>
        )
      }}
    </Served>
  )
}

/** The way to what is older, or that there is none. In one place, so that the focus stays near. */
function Older({ log }: { log: LogProps['log'] }) {
  const [asked, setAsked] = useState(false)
  const more = () => {
    setAsked(true)
    void log.fetchNextPage()
  }
  return (
    <div className={classes.older}>
      {log.error !== null && <Failed log={log} />}
      {log.error === null && log.hasNextPage && <More busy={log.isFetchingNextPage} onMore={more} />}
      {log.error === null && !log.hasNextPage && asked && <End />}
    </div>
  )
}

function More({ busy, onMore }: { busy: boolean; onMore: () => void }) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  return (
    <Button ref={button} busy={busy} onClick={onMore}>
      {texts.more}
    </Button>
  )
}

function End() {
  const line = useRef<HTMLParagraphElement>(null)
  // The button that was pressed is gone: here the keyboard goes on, unless somebody is elsewhere by now.
  useEffect(() => {
    if (document.activeElement === document.body) line.current?.focus()
  }, [])
  return (
    <p ref={line} tabIndex={-1} className={classes.end}>
      {texts.noMore}
    </p>
  )
}

/** The next page is asked for again, or all of it anew. */
function Failed({ log }: { log: LogProps['log'] }) {
  return log.isFetchNextPageError ? (
    <Stale query={{ ...log, refetch: log.fetchNextPage }} title={texts.moreFailed} />
  ) : (
    <Stale query={log} title={texts.failed} />
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

function LogSkeleton() {
  return (
    <div className={classes.skeleton}>
      {[1, 2, 3, 4].map(row => (
        <Skeleton key={row} height={56} />
      ))}
    </div>
  )
}

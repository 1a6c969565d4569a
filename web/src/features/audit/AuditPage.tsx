/** "Änderungsprotokoll": who decided what and when, as the company's log keeps it. It can only be read. */
import { useEffect, useRef, useState } from 'react'
import { useReachable } from '../../api/connectivity'
import { sentenceOf } from '../../api/failures'
import { Button } from '../../ui/Button'
import { useFocusPassedOn } from '../../ui/focus'
import { Scroll } from '../../ui/icons'
import { Notice, OfflineBanner } from '../../ui/Notice'
import { PageFrame } from '../../ui/PageFrame'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { texts as uiTexts } from '../../ui/texts'
import { useWide } from '../../ui/useWide'
import { AuditCards } from './AuditCards'
import { AuditFilters, ClearFilter } from './AuditFilters'
import classes from './AuditPage.module.css'
import { AuditTable } from './AuditTable'
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
  const reachable = useReachable()
  return (
    <PageFrame title={texts.title} lead={texts.lead}>
      {!reachable && <OfflineBanner asOf={null} consequence={texts.offline} />}
      <AuditFilters
        companyId={companyId}
        filter={filter}
        onFilter={setFilter}
        words={words}
        seen={log.data?.pages.flatMap(page => page.entries) ?? []}
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
    </PageFrame>
  )
}

interface LogProps {
  log: ReturnType<typeof useAudit>
  filter: Filter
  words: Words
  onClear: () => void
}

function Log({ log, filter, words, onClear }: LogProps) {
  const wide = useWide()
  if (log.data === undefined) {
    if (log.error === null) return <LogSkeleton />
    return (
      <ErrorState
        title={texts.failed}
        detail={sentenceOf(log.error, texts.failed)}
        busy={log.isFetching}
        onRetry={log.refetch}
      />
    )
  }
  const entries = log.data.pages.flatMap(page => page.entries)
  if (entries.length === 0) return <Nothing filtered={filter !== NO_FILTER} onClear={onClear} />
  const List = wide ? AuditTable : AuditCards
  return (
    <>
      <List entries={entries} words={words} />
      <Older log={log} />
    </>
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

/** What is there stays; what did not come is asked for again: the next page, or all of it anew. */
function Failed({ log }: { log: LogProps['log'] }) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  const [title, again] = log.isFetchNextPageError
    ? [texts.moreFailed, log.fetchNextPage]
    : [texts.failed, log.refetch]
  return (
    <Notice
      tone="error"
      live="polite"
      title={title}
      action={
        <Button ref={button} look="plain" busy={log.isFetching} onClick={() => again()}>
          {uiTexts.retry}
        </Button>
      }
    >
      <p>{sentenceOf(log.error, title)}</p>
    </Notice>
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
    <Loading>
      <div className={classes.skeleton}>
        {[1, 2, 3, 4].map(row => (
          <Skeleton key={row} height={56} />
        ))}
      </div>
    </Loading>
  )
}

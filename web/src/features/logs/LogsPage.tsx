/** "Fehlerlog": the clocks' log in words, with remedies. */
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useReachable } from '../../api/connectivity'
import { sentenceOf } from '../../api/failures'
import { wordsOf } from '../../entities/clocks/codeTexts'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { Badge, type Tone } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { formatter, homeZone } from '../../ui/days'
import { SearchInput } from '../../ui/fields'
import { Alert, Refresh } from '../../ui/icons'
import { CardList, Facts, Fold } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { Select } from '../../ui/Select'
import { EmptyState } from '../../ui/states'
import { texts as uiTexts } from '../../ui/texts'
import classes from './LogsPage.module.css'
import { texts } from './texts'
import { type Filter, type Level, type LogLine, useLogs } from './useLogs'

const LIMITS = [100, 200, 500, 1000]
const LEVELS: readonly Level[] = ['all', 'info', 'warn', 'error']
/** How long the error message is shown. */
const FAILURE_MS = 2_500

export function LogsPage({ companyId }: { companyId: string }) {
  const [filter, setFilter] = useState<Filter>({ level: 'all', limit: 200, q: '' })
  const [showing, setShowing] = useState(false)
  const logs = useLogs(companyId, filter)
  const errors = useLogs(companyId, { level: 'error', limit: filter.limit, q: '' })
  const reload = () => void Promise.all([logs.refetch(), errors.refetch()])
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      offline={texts.offline}
      actions={
        <Button icon={<Alert size={18} />} aria-haspopup="dialog" onClick={() => setShowing(true)}>
          {texts.errors(countOf(errors.data, filter.limit))}
        </Button>
      }
    >
      <Filters filter={filter} onFilter={setFilter} busy={logs.isFetching} onReload={reload} />
      <Lines query={logs}>
        {lines => (
          <DataTable
            caption={texts.list}
            rows={lines}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            details={line => <Details line={line} />}
            room={901}
            empty={<EmptyState sentence={texts.empty} />}
          />
        )}
      </Lines>
      {showing && (
        <Dialog title={texts.errorsTitle} size={760} sheet onClose={() => setShowing(false)}>
          <Lines query={errors}>
            {lines =>
              lines.length === 0 ? (
                <EmptyState sentence={texts.noErrors} />
              ) : (
                <div className={classes.errors}>
                  <CardList look="joined" label={texts.errorsTitle} items={lines} keyOf={({ id }) => id}>
                    {line => (
                      <Fold line={<LogText line={line} head={`${momentOf(line)} · ${clockOf(line)}`} />}>
                        <Details line={line} />
                      </Fold>
                    )}
                  </CardList>
                </div>
              )
            }
          </Lines>
        </Dialog>
      )}
    </Page>
  )
}

interface FiltersProps {
  filter: Filter
  onFilter: (filter: Filter) => void
  busy: boolean
  onReload: () => void
}

/** Enter applies the search, and refetches. */
function Filters({ filter, onFilter, busy, onReload }: FiltersProps) {
  const [words, setWords] = useState(filter.q)
  const search = (event: FormEvent) => {
    event.preventDefault()
    if (words.trim() === filter.q) onReload()
    else onFilter({ ...filter, q: words.trim() })
  }
  return (
    <section className={classes.filters} aria-label={texts.filters}>
      <form onSubmit={search} className={classes.search}>
        <SearchInput
          label={texts.search}
          placeholder={texts.searchHint}
          maxLength={100}
          value={words}
          onChange={setWords}
        />
      </form>
      <Select<Level>
        label={texts.level}
        value={filter.level}
        onChange={level => onFilter({ ...filter, level })}
        data={LEVELS.map(level => ({ value: level, label: texts.levels[level] }))}
      />
      <Select
        label={texts.limit}
        value={`${filter.limit}`}
        onChange={limit => onFilter({ ...filter, limit: Number(limit) })}
        data={LIMITS.map(String)}
      />
      <Button icon={<Refresh size={18} />} busy={busy} onClick={onReload}>
        {texts.reload}
      </Button>
    </section>
  )
}

interface LinesProps {
  query: ReturnType<typeof useLogs>
  children: (lines: LogLine[]) => ReactNode
}

/** An error message is shown briefly; the data stays, and without data the retry button stays. */
function Lines({ query, children }: LinesProps) {
  const reachable = useReachable()
  const failed = query.error !== null && !query.isFetching && reachable
  const over = useOver(query.errorUpdatedAt)
  return (
    <>
      {failed && !over && (
        <Notice tone="error" live="assertive" title={texts.failed}>
          <p>{sentenceOf(query.error, '')}</p>
        </Notice>
      )}
      {failed && query.data === undefined ? (
        <EmptyState
          sentence={texts.nothingSeen}
          action={<Button onClick={() => void query.refetch()}>{uiTexts.retry}</Button>}
        />
      ) : (
        <QueryView
          query={{ ...query, error: null }}
          failed={texts.failed}
          skeleton={<TableSkeleton columns={COLUMNS} />}
        >
          {children}
        </QueryView>
      )}
    </>
  )
}

/** Whether the error of that time has been shown long enough. */
function useOver(failedAt: number): boolean {
  const [over, setOver] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setOver(failedAt), FAILURE_MS)
    return () => clearTimeout(timer)
  }, [failedAt])
  return over === failedAt
}

const WHEN = {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const

const momentOf = ({ createdAt }: LogLine) =>
  formatter({ ...WHEN, timeZone: homeZone() }).format(new Date(createdAt))
const clockOf = ({ serial, deviceId }: LogLine) => serial || texts.device(deviceId)
const countOf = (lines: LogLine[] | undefined, limit: number) =>
  lines === undefined ? '' : lines.length < limit ? `${lines.length}` : `${lines.length}+`

const COLUMNS: readonly Column<LogLine>[] = [
  {
    key: 'time',
    head: texts.time,
    sortBy: ({ createdAt }) => createdAt,
    text: momentOf,
    cell: line => <time dateTime={line.createdAt}>{momentOf(line)}</time>,
  },
  {
    key: 'what',
    head: texts.what,
    names: true,
    text: line => `${wordsOf(line.code).says} ${line.message}`,
    cell: line => <LogText line={line} />,
  },
  { key: 'code', head: texts.code, sortBy: ({ code }) => code, cell: line => <Code line={line} /> },
  {
    key: 'clock',
    head: texts.clock,
    sortBy: clockOf,
    cell: line => <span className={classes.clock}>{clockOf(line)}</span>,
  },
  {
    key: 'level',
    head: texts.level,
    sortBy: line => levelOf(line),
    cell: line => <LevelBadge line={line} />,
  },
]

/** In words; the list of errors adds the table's other columns. */
function LogText({ line, head }: { line: LogLine; head?: string }) {
  return (
    <span className={classes.told}>
      {head !== undefined && <span className="muted">{head}</span>}
      <span>{wordsOf(line.code).says}</span>
      {head !== undefined && (
        <span className={classes.badges}>
          <Code line={line} />
          <LevelBadge line={line} />
        </span>
      )}
    </span>
  )
}

const Code = ({ line }: { line: LogLine }) => (
  <Badge>
    <code translate="no" className={classes.code}>
      {line.code}
    </code>
  </Badge>
)

const TONES: Readonly<Record<string, Tone>> = { warn: 'warn', error: 'warn' }
const levelOf = ({ level }: LogLine) => texts.levels[level as Level] ?? level

const LevelBadge = ({ line }: { line: LogLine }) => (
  <Badge tone={TONES[line.level] ?? 'note'} icon={line.level === 'error' ? <Alert size={16} /> : undefined}>
    {levelOf(line)}
  </Badge>
)

function Details({ line }: { line: LogLine }) {
  const { says, todo } = wordsOf(line.code)
  const { message, meta } = line
  // The clock's original line.
  const raw = [
    message !== says && message,
    meta !== null && Object.keys(meta).length > 0 && JSON.stringify(meta, null, 2),
  ].filter(Boolean)
  return (
    <Facts
      facts={[
        { term: texts.todo, value: todo },
        raw.length > 0 && {
          term: texts.technical,
          value: (
            <code translate="no" className={classes.raw}>
              {raw.join('\n')}
            </code>
          ),
        },
      ]}
    />
  )
}

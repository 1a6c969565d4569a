/** "Gespeicherte Firmendaten sehen": the tables on the left, the rows of one of them on the right. */
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useReachable } from '../../api/connectivity'
import { sentenceOf } from '../../api/failures'
import { useZone } from '../../entities/settings/useSettings'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { saveAs } from '../../patterns/transfer'
import { Button } from '../../ui/Button'
import { HOME_ZONE } from '../../ui/days'
import { SearchInput } from '../../ui/fields'
import { Download, Refresh } from '../../ui/icons'
import { Buttons, Facts, Section, Toolbar } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { Select } from '../../ui/Select'
import { EmptyState, SkeletonRows } from '../../ui/states'
import { texts as uiTexts } from '../../ui/texts'
import { useMatch } from '../../ui/useMatch'
import type { PageProps } from '../feature'
import { ArchiveCard } from './ArchiveCard'
import classes from './DataPage.module.css'
import { displayValue, orderOf } from './display'
import { csvOf, has, jsonOf, membersOf, type Row } from './files'
import { texts } from './texts'
import { type Dump, useDump, useNames } from './useDump'

const LIMITS = [50, 100, 500, 0]
const LIMIT = 100
const TABLE = 'tabelle'
/** How long the error message is shown. */
const FAILURE_MS = 2_500

export function DataPage({ session: { companyId } }: PageProps) {
  const [limit, setLimit] = useState(LIMIT)
  const [search, setSearch] = useSearchParams()
  const dump = useDump(companyId, limit)
  const zone = useZone(companyId) ?? HOME_ZONE
  const choose = (table: string) =>
    setSearch(
      previous =>
        new URLSearchParams(
          [...previous.entries()].filter(([name]) => name !== TABLE).concat([[TABLE, table]]),
        ),
    )
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Toolbar>
        <Select
          label={texts.limit}
          value={String(limit)}
          onChange={chosen => setLimit(Number(chosen))}
          data={LIMITS.map(value => ({ value: String(value), label: texts.limits[value] ?? '' }))}
        />
        <Button icon={<Refresh size={18} />} busy={dump.isFetching} onClick={() => void dump.refetch()}>
          {texts.reload}
        </Button>
      </Toolbar>
      <Failing dump={dump} />
      {dump.error === null && (
        <QueryView query={dump} failed={texts.failed} skeleton={<SkeletonRows rows={8} height={36} />}>
          {found => <Tables dump={found} chosen={search.get(TABLE)} onChoose={choose} zone={zone} />}
        </QueryView>
      )}
      <ArchiveCard companyId={companyId} />
    </Page>
  )
}

/** An error message is shown briefly; without data, the retry button stays. */
function Failing({ dump }: { dump: ReturnType<typeof useDump> }) {
  const reachable = useReachable()
  const [seen, see] = useState(0)
  const error = dump.error ?? dump.stale
  const failed = error !== null && reachable
  useEffect(() => {
    if (!failed) return
    const timer = setTimeout(() => see(dump.failedAt), FAILURE_MS)
    return () => clearTimeout(timer)
  }, [failed, dump.failedAt])
  if (!failed) return null
  return (
    <>
      {seen !== dump.failedAt && (
        <Notice tone="error" live="assertive" title={texts.failed}>
          <p>{sentenceOf(error, texts.unreachable)}</p>
        </Notice>
      )}
      {dump.error !== null && (
        <EmptyState
          sentence={texts.nothingSeen}
          action={<Button onClick={() => void dump.refetch()}>{uiTexts.retry}</Button>}
        />
      )}
    </>
  )
}

interface TablesProps {
  dump: Dump
  chosen: string | null
  zone: string
  onChoose: (table: string) => void
}

function Tables({ dump, chosen, onChoose, zone }: TablesProps) {
  const beside = useMatch('(min-width: 901px)')
  const names = Object.keys(dump.tables)
  const rows = chosen === null ? undefined : dump.tables[chosen]
  if (names.length === 0) return <EmptyState sentence={texts.noTables} />
  const countOf = (table: string) => dump.counts[table] ?? dump.tables[table]?.length ?? 0
  return (
    <div className={classes.sides}>
      {beside ? (
        <nav aria-label={texts.tables}>
          <ul className={classes.tables}>
            {names.map(table => (
              <li key={table}>
                <button
                  type="button"
                  aria-current={table === chosen ? 'true' : undefined}
                  onClick={() => onChoose(table)}
                >
                  {texts.nameOf(table)} <span className="tabular muted">{texts.number(countOf(table))}</span>
                </button>
              </li>
            ))}
          </ul>
        </nav>
      ) : (
        <Select
          label={texts.table}
          value={chosen}
          onChange={onChoose}
          searchable
          data={names.map(value => ({ value, label: texts.countOf(value, countOf(value)) }))}
        />
      )}
      {chosen === null || rows === undefined ? (
        <EmptyState sentence={texts.choose} />
      ) : (
        <Rows key={chosen} table={chosen} rows={rows} count={countOf(chosen)} dump={dump} zone={zone} />
      )}
    </div>
  )
}

interface RowsProps {
  table: string
  rows: readonly Row[]
  count: number
  dump: Dump
  zone: string
}

function Rows({ table, rows, count, dump, zone }: RowsProps) {
  const [words, setWords] = useState('')
  const names = useNames(dump)
  const tell = (member: string, value: unknown) => displayValue(member, value, names, zone)
  // A framed table has all its rows in the document: longer ones show their remaining columns in unfolded rows.
  const wide = useMatch('(min-width: 901px)') && rows.length <= FRAMED
  // As stored, and as displayed.
  const rowTexts = (row: Row) => Object.entries(row).map(([member, value]) => tell(member, value))
  const foundRows =
    words.trim() === '' ? rows : rows.filter(row => has(row, words) || has(rowTexts(row), words))
  const keys = new Map(foundRows.map((row, index) => [row, String(index)]))
  const save = (text: string, type: string, ending: string) =>
    saveAs(new Blob([text], { type: `${type};charset=utf-8` }), `${table}.${ending}`)
  const details = (row: Row) => (
    <Facts
      facts={Object.entries(row).map(([term, value]) => ({
        term: texts.headOf(term),
        value: <Cell text={tell(term, value)} />,
      }))}
    />
  )
  return (
    <Section title={texts.nameOf(table)}>
      <Toolbar>
        <SearchInput label={texts.filter} placeholder={texts.filterHint} value={words} onChange={setWords} />
        <Buttons>
          <Button
            icon={<Download size={18} />}
            onClick={() => save(jsonOf(foundRows), 'application/json', 'json')}
          >
            {texts.json}
          </Button>
          <Button icon={<Download size={18} />} onClick={() => save(csvOf(foundRows), 'text/csv', 'csv')}>
            {texts.csv}
          </Button>
        </Buttons>
      </Toolbar>
      <p className="muted">{texts.shown(foundRows.length, count)}</p>
      <DataTable
        caption={texts.nameOf(table)}
        rows={foundRows}
        columns={columnsOf(rows, tell, wide ? undefined : COLUMNS)}
        scrolls={wide}
        keyOf={row => keys.get(row) ?? ''}
        {...(!wide && { details })}
        empty={<EmptyState sentence={texts.noRows} />}
      />
    </Section>
  )
}

const Cell = ({ text }: { text: string }) => <span className={`tabular ${classes.cell}`}>{text}</span>

const COLUMNS = 5
const FRAMED = 500
/** A row's own values come before references. */
const points = (member: string) => (member === 'id' ? 2 : /(^|_)(no|seq|hash|bits)$/.test(member) ? 1 : 0)

function columnsOf(
  rows: readonly Row[],
  tell: (member: string, value: unknown) => string,
  most?: number,
): Column<Row>[] {
  const members = membersOf(rows).sort((a, b) => points(a) - points(b))
  return members.slice(0, most).map((member, index) => ({
    key: member,
    head: texts.headOf(member),
    names: index === 0,
    sortBy: row => orderOf(row[member], tell(member, row[member])),
    cell: row => <Cell text={tell(member, row[member])} />,
  }))
}

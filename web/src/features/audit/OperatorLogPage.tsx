/** "Betreiberprotokoll": actions of operators and of the server's commands, and login attempts. */
import { useDeferredValue, useState } from 'react'
import { Link } from 'react-router'
import { Older } from '../../patterns/Older'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { Button } from '../../ui/Button'
import { DayInput } from '../../ui/dates'
import { dayOf, longDay, timeOf } from '../../ui/days'
import { numericDay } from '../../ui/dayText'
import { SearchInput } from '../../ui/fields'
import { useFocusPassedOn } from '../../ui/focus'
import { Shield } from '../../ui/icons'
import { EmptyState } from '../../ui/states'
import classes from './AuditPage.module.css'
import { Changes } from './entryParts'
import { texts } from './operatorTexts'
import {
  isEmpty,
  isReversed,
  NO_FILTER,
  type OperatorFilter,
  type OperatorRow,
  useOperatorLog,
} from './useOperatorLog'
import type { AuditEntry, Words } from './words'

/** The row as an entry of an audit log, with the same words. */
const entryOf = (row: OperatorRow): AuditEntry => ({ ...row, hash: '' })

export function OperatorLogPage({ words }: { words: Words }) {
  const [filter, setFilter] = useState(NO_FILTER)
  const deferredFilter = useDeferredValue(filter)
  const log = useOperatorLog(deferredFilter, words)
  const clearable = !isEmpty(filter) && log.rows.data?.length !== 0
  return (
    <Page title={texts.title} lead={texts.lead} offline={texts.offline}>
      <p className="muted">
        {texts.elsewhere} <Link to="/admin?tab=audit">{texts.ownLog}</Link>
      </p>
      <p className="muted">{texts.looks}</p>
      <Filters filter={filter} onFilter={setFilter} clearable={clearable} />
      {!isReversed(deferredFilter) && (
        <Log
          log={log}
          filtered={!isEmpty(deferredFilter)}
          words={words}
          onClear={() => setFilter(NO_FILTER)}
        />
      )}
    </Page>
  )
}

interface FiltersProps {
  filter: OperatorFilter
  onFilter: (filter: OperatorFilter) => void
  /** Whether the button that clears the filter is shown here, and not in the empty state. */
  clearable: boolean
}

function Filters({ filter, onFilter, clearable }: FiltersProps) {
  const set = (part: Partial<OperatorFilter>) => onFilter({ ...filter, ...part })
  return (
    <form className={classes.filters} aria-label={texts.filters} onSubmit={event => event.preventDefault()}>
      <SearchInput
        label={texts.search}
        placeholder={texts.searchHint}
        maxLength={100}
        value={filter.text}
        onChange={text => set({ text })}
      />
      <DayInput
        label={texts.from}
        value={filter.from}
        onChange={from => set({ from })}
        error={isReversed(filter) && texts.reversed}
      />
      <DayInput label={texts.to} value={filter.to} onChange={to => set({ to })} />
      {clearable && <ClearFilter plain onClear={() => onFilter(NO_FILTER)} />}
    </form>
  )
}

function ClearFilter({ plain = false, onClear }: { plain?: boolean; onClear: () => void }) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  return (
    <Button
      ref={button}
      look={plain ? 'plain' : 'secondary'}
      className={plain ? (classes.clear ?? '') : ''}
      onClick={onClear}
    >
      {texts.clear}
    </Button>
  )
}

interface LogProps {
  log: ReturnType<typeof useOperatorLog>
  filtered: boolean
  words: Words
  onClear: () => void
}

function Log({ log, filtered, words, onClear }: LogProps) {
  const columns = columnsOf(words)
  return (
    <QueryView query={log.rows} failed={texts.failed} skeleton={<TableSkeleton columns={columns} />}>
      {rows => (
        <DataTable
          caption={texts.list}
          rows={rows}
          columns={columns}
          keyOf={row => row.id}
          groupOf={row => longDay(dayOf(new Date(row.at)))}
          details={row => <Details row={row} words={words} />}
          csv={texts.title}
          room={641}
          empty={
            <EmptyState
              picture={<Shield size={40} />}
              sentence={filtered ? texts.emptyFiltered : texts.empty}
              action={
                filtered ? (
                  <ClearFilter onClear={onClear} />
                ) : (
                  <Link to="/admin?tab=create_company">{texts.toCompanies}</Link>
                )
              }
            />
          }
          older={<Older list={log.list} texts={texts} />}
        />
      )}
    </QueryView>
  )
}

const columnsOf = (words: Words): Column<OperatorRow>[] => [
  {
    key: 'at',
    head: texts.time,
    text: ({ at }) => `${numericDay(dayOf(new Date(at)))}, ${timeOf(new Date(at))}`,
    cell: ({ at }) => <time dateTime={at}>{timeOf(new Date(at))}</time>,
  },
  {
    key: 'what',
    head: texts.what,
    names: true,
    text: row => words.sentenceOf(entryOf(row)),
    cell: row => words.sentenceOf(entryOf(row)),
  },
  {
    key: 'company',
    head: texts.company,
    text: ({ companyName }) => companyName ?? '',
    cell: ({ companyName }) => companyName ?? texts.noCompany,
  },
  { key: 'who', head: texts.person, text: ({ actorName }) => actorName, cell: ({ actorName }) => actorName },
]

function Details({ row, words }: { row: OperatorRow; words: Words }) {
  const changes = words.changesOf(entryOf(row))
  if (changes.length === 0 && row.network === '') return <p className={classes.proof}>{texts.noDetails}</p>
  return (
    <div className={classes.more}>
      <Changes changes={changes} />
      {row.network !== '' && (
        <p className={classes.proof}>
          {texts.network} <code translate="no">{row.network}</code> <span>{texts.networkHint}</span>
        </p>
      )}
    </div>
  )
}

/**
 * The table component: sortable by its heads, which stay in sight, with groups and sums; search, selection and csv
 * export; cards on narrow windows; long lists render only rows near the window.
 *
 * - caption, rows, columns, keyOf: its name; the rows in their given order; see `Column`; a row's key
 * - sortedBy: the initial sort column, ascending; without it the rows keep their order
 * - groupOf: (row) its group's heading; groups keep the order of their first rows, and are sorted within
 * - search: {label, hint, matches(row, words), nothing}: filters the rows; `nothing` is the text without a match
 * - many: {label(count), act(rows), icon, can(row)}: makes rows selectable, with one action for all selected
 * - details: (row) its unfolded content
 * - csv: a file name: the visible rows can be exported under it
 * - empty: the content without rows: an `EmptyState`
 * - older: content below the table: `Older`
 * - tools: further content above it, on the right
 * - scrolls: the table scrolls in a frame at most 640 px high with a fixed first column: for many columns. All of its
 *   rows are in the document then. 'dense': narrow columns of equal width except the first, with two-line heads
 * - even: columns of equal width, as far as possible: tables below each other look alike
 * - room: the window's least width in pixels for a table; narrower windows show cards. 0: always a table
 *
 * `TableSkeleton` has its shape while it loads.
 */
import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '../../ui/Button'
import { SearchInput } from '../../ui/fields'
import { Download } from '../../ui/icons'
import { Buttons, Toolbar } from '../../ui/layout'
import { EmptyState, Skeleton } from '../../ui/states'
import { useMatch } from '../../ui/useMatch'
import { saveAs } from '../transfer'
import { type Search, useSearch } from '../useSearch'
import { Cards } from './Cards'
import { csvOf, type Value } from './csv'
import classes from './DataTable.module.css'
import { itemsOf, nextSorting, type Sorting } from './items'
import { Rows } from './Rows'
import { texts } from './texts'

export interface Column<Row> {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  /** The sort value; without it the column is not sortable. */
  sortBy?: (row: Row) => string | number
  /** The csv text, if it differs from the sort value. */
  text?: (row: Row) => Value
  /** The summary of several rows, at the foot and in a group's head. */
  sum?: (rows: readonly Row[]) => ReactNode
  /** It names its row: a row header in the table, the heading of the card. */
  names?: boolean
  /** Figures are right-aligned. */
  align?: 'end'
  /** A row's actions: a column without a head, and the foot of a card. */
  acts?: boolean
  /** A day off among days: its column is tinted. */
  tinted?: boolean
}

interface DataTableProps<Row> {
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  sortedBy?: string | undefined
  groupOf?: (row: Row) => string
  search?: {
    label: string
    hint?: string
    matches: (row: Row, words: string) => boolean
    nothing: string | ((clear: () => void) => ReactNode)
  }
  many?: {
    label: (count: number) => string
    act: (rows: Row[]) => unknown
    icon?: ReactNode
    can?: (row: Row) => boolean
  }
  details?: (row: Row) => ReactNode
  csv?: string
  empty?: ReactNode
  older?: ReactNode
  tools?: ReactNode
  scrolls?: boolean | 'dense'
  even?: boolean
  room?: number
}

/** A table needs more room than other content. */
const ROOM_PX = 1101
const NO_KEYS: ReadonlySet<string> = new Set()
const ANY = () => true

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { caption, rows, columns, keyOf, sortedBy, groupOf, many, details, scrolls = false } = props
  const { room = ROOM_PX, even = false } = props
  const wide = useMatch(`(min-width: ${room}px), print`) || room === 0
  const [sorting, setSorting] = useState<Sorting | null>(
    sortedBy === undefined ? null : { key: sortedBy, down: false },
  )
  const [open, setOpen] = useState(NO_KEYS)
  const [chosen, setChosen] = useState(NO_KEYS)
  const search = useSearch(rows, props.search?.matches ?? ANY)
  const sortBy = columns.find(({ key }) => key === sorting?.key)?.sortBy
  const down = sorting?.down ?? false
  const items = useMemo(
    () => itemsOf(search.found, { keyOf, groupOf, open, by: sortBy, down }),
    [search.found, keyOf, groupOf, open, sortBy, down],
  )
  const shownRows = items.flatMap(item => (item.kind === 'row' ? [item.row] : []))
  const selectable = many === undefined ? [] : shownRows.filter(many.can ?? ANY)
  // Hidden rows are not selected.
  const selected = selectable.filter(row => chosen.has(keyOf(row)))
  const List = wide ? Rows : Cards
  const frame = texts.frame(caption)
  const list = (
    <List
      caption={caption}
      rows={shownRows}
      items={items}
      columns={columns}
      keyOf={keyOf}
      sorting={sorting}
      onSort={key => setSorting(present => nextSorting(present, key))}
      details={details}
      open={open}
      onOpen={key => setOpen(toggled(open, [key], !open.has(key)))}
      selection={
        many === undefined
          ? null
          : {
              can: new Set(selectable.map(keyOf)),
              chosen: new Set(selected.map(keyOf)),
              onChoose: (keys, on) => setChosen(toggled(chosen, keys, on)),
            }
      }
      all={scrolls !== false}
      even={even}
    />
  )
  if (rows.length === 0 && props.empty !== undefined) return props.empty
  return (
    <>
      <Tools
        table={props}
        search={search}
        shown={shownRows}
        selected={selected}
        onDone={() => setChosen(NO_KEYS)}
      />
      {shownRows.length === 0 && search.active && props.search !== undefined ? (
        <EmptyTable said={props.search.nothing} clear={search.clear} />
      ) : scrolls !== false && wide ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section data-scrolls={scrolls} className={classes.scrolls} tabIndex={0} aria-label={frame}>
          {list}
        </section>
      ) : (
        list
      )}
      {props.older}
    </>
  )
}

function toggled(set: ReadonlySet<string>, keys: readonly string[], on: boolean): ReadonlySet<string> {
  return new Set(on ? [...set, ...keys] : [...set].filter(key => !keys.includes(key)))
}

interface ToolsProps<Row> {
  table: DataTableProps<Row>
  search: Search<Row>
  shown: readonly Row[]
  selected: Row[]
  onDone: () => void
}

/** The toolbar: filters, and actions on all visible or selected rows. */
function Tools<Row>({ table, search, shown, selected, onDone }: ToolsProps<Row>) {
  const { many, csv } = table
  if (table.search === undefined && many === undefined && csv === undefined) return table.tools
  const act = () => {
    void many?.act(selected)
    onDone()
  }
  return (
    <Toolbar>
      {table.search === undefined ? (
        <span />
      ) : (
        <SearchInput
          className={classes.search ?? ''}
          label={table.search.label}
          placeholder={table.search.hint}
          value={search.words}
          onChange={search.onWords}
        />
      )}
      <Buttons>
        {many !== undefined && selected.length > 0 && (
          <Button icon={many.icon} onClick={act}>
            {many.label(selected.length)}
          </Button>
        )}
        {csv !== undefined && shown.length > 0 && (
          <Button
            icon={<Download size={18} />}
            onClick={() => saveAs(fileOf(table.columns, shown), `${csv}.csv`)}
          >
            {texts.csv}
          </Button>
        )}
        {table.tools}
      </Buttons>
    </Toolbar>
  )
}

function fileOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Blob {
  const textColumns = columns.filter(({ acts }) => acts !== true)
  const values = rows.map(row => textColumns.map(({ text, sortBy }) => (text ?? sortBy)?.(row)))
  return new Blob(
    [
      csvOf(
        textColumns.map(({ head }) => head),
        values,
      ),
    ],
    { type: 'text/csv;charset=utf-8' },
  )
}

function EmptyTable({
  said,
  clear,
}: {
  said: NonNullable<DataTableProps<object>['search']>['nothing']
  clear: () => void
}) {
  return typeof said === 'function' ? said(clear) : <EmptyState sentence={said} />
}

/** The skeleton of a table: its heads, and lines below them. */
export function TableSkeleton({
  columns,
  rows = 4,
}: {
  columns: readonly Pick<Column<never>, 'head' | 'acts'>[]
  rows?: number
}) {
  return (
    <div className={classes.skeleton} style={{ gridTemplateColumns: `repeat(${columns.length}, 1fr)` }}>
      {columns.map(({ head, acts }) => (
        <span key={head} aria-hidden="true">
          {acts === true ? '' : head}
        </span>
      ))}
      {Array.from({ length: rows * columns.length }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} width={`${50 + ((index * 17) % 40)}%`} height={20} />
      ))}
    </div>
  )
}

/** The table view: for wide windows. Up and Down move from row to row. */
import { type KeyboardEvent, memo, type ReactNode, useRef } from 'react'
import { Checkbox } from '../../ui/fields'
import { ChevronDown } from '../../ui/icons'
import { Table } from '../../ui/Table'
import type { Column } from './DataTable'
import type { Item, Sorting } from './items'
import classes from './Rows.module.css'
import { texts } from './texts'
import { useVirtualRows } from './useVirtualRows'

export interface ListProps<Row> {
  caption: string
  /** All visible rows, without group heads and details. */
  rows: readonly Row[]
  items: readonly Item<Row>[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  sorting: Sorting | null
  onSort: (key: string) => void
  details: ((row: Row) => ReactNode) | undefined
  open: ReadonlySet<string>
  onOpen: (key: string) => void
  selection: Selection | null
  /** Whether all rows are in the document, however long the list is. */
  all: boolean
  even: boolean
}

export interface Selection {
  can: ReadonlySet<string>
  chosen: ReadonlySet<string>
  onChoose: (keys: readonly string[], on: boolean) => void
}

const ROW_PX = 64

export function Rows<Row>(props: ListProps<Row>) {
  const { caption, rows, items, columns, sorting, onSort, selection, all, even } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const virtualRows = useVirtualRows(body, items.length, ROW_PX, all)
  const width = columns.length + (selection === null ? 0 : 1)
  const sums = columns.some(({ sum }) => sum !== undefined) && rows.length > 0
  return (
    <Table caption={caption} rowCount={items.length + (sums ? 2 : 1)}>
      {(even || columns.some(({ tinted }) => tinted)) && (
        <colgroup>
          {columns.map(({ key, tinted }) => (
            <col
              key={key}
              className={tinted === true ? classes.tinted : undefined}
              width={even ? `${100 / columns.length}%` : undefined}
            />
          ))}
        </colgroup>
      )}
      <thead>
        <tr>
          {selection !== null && (
            <th scope="col" className={classes.tick}>
              <ChooseAll selection={selection} />
            </th>
          )}
          {columns.map(column => (
            <Head
              key={column.key}
              column={column}
              sorted={sorting?.key === column.key ? (sorting.down ? 'descending' : 'ascending') : undefined}
              onSort={onSort}
            />
          ))}
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={moveOn}>
        <Space height={virtualRows.before} columns={width} />
        {virtualRows.indices.map(index => {
          const item = items[index]
          return (
            item !== undefined && (
              <tr
                key={item.key}
                data-index={index}
                ref={virtualRows.measure}
                aria-rowindex={index + 2}
                className={classes[item.kind]}
              >
                <Line {...props} item={item} />
              </tr>
            )
          )
        })}
        <Space height={virtualRows.after} columns={width} />
      </tbody>
      {sums && (
        <tfoot>
          <tr>
            <Sums columns={columns} rows={rows} title={texts.sums} before={selection === null ? 0 : 1} />
          </tr>
        </tfoot>
      )}
    </Table>
  )
}

/** Memoized: scrolling and measuring a long list does not re-render its rows. */
const Line = memo(function Line<Row>({
  item,
  columns,
  details,
  open,
  onOpen,
  selection,
}: ListProps<Row> & { item: Item<Row> }) {
  const leadingColumns = selection === null ? 0 : 1
  if (item.kind === 'group') {
    return (
      <Sums columns={columns} rows={item.rows} title={item.title} before={leadingColumns} scope="colgroup" />
    )
  }
  if (item.kind === 'details') return <td colSpan={columns.length + leadingColumns}>{details?.(item.row)}</td>
  const { key, row } = item
  return (
    <>
      {selection !== null && (
        <td className={classes.tick}>
          <Choose selection={selection} name={nameOf(columns, row)} id={key} />
        </td>
      )}
      {columns.map(column => (
        <Cell key={column.key} column={column}>
          {column.names === true && details !== undefined ? (
            <span className={classes.unfolds}>
              <button
                type="button"
                className={classes.unfold}
                aria-expanded={open.has(key)}
                aria-label={texts.unfold(nameOf(columns, row))}
                onClick={() => onOpen(key)}
              >
                <ChevronDown size={18} />
              </button>
              <span>{column.cell(row)}</span>
            </span>
          ) : (
            column.cell(row)
          )}
        </Cell>
      ))}
    </>
  )
}) as <Row>(props: ListProps<Row> & { item: Item<Row> }) => ReactNode

/** A row's name, for screen readers. */
export function nameOf<Row>(columns: readonly Column<Row>[], row: Row): string {
  const { text, sortBy } = columns.find(({ names }) => names === true) ?? {}
  return String((text ?? sortBy)?.(row) ?? '')
}

export function Choose({ selection, name, id }: { selection: Selection; name: string; id: string }) {
  return (
    <Checkbox
      aria-label={texts.select(name)}
      disabled={!selection.can.has(id)}
      checked={selection.chosen.has(id)}
      onChange={event => selection.onChoose([id], event.currentTarget.checked)}
    />
  )
}

function ChooseAll({ selection: { can, chosen, onChoose } }: { selection: Selection }) {
  return (
    <Checkbox
      aria-label={texts.selectAll}
      disabled={can.size === 0}
      checked={can.size > 0 && chosen.size === can.size}
      indeterminate={chosen.size > 0 && chosen.size < can.size}
      onChange={event => onChoose([...can], event.currentTarget.checked)}
    />
  )
}

interface SumsProps<Row> {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  title: string
  /** The number of leading columns. */
  before: number
  scope?: 'row' | 'colgroup'
}

/** A title up to the first column with a sum, and the sums. */
function Sums<Row>({ columns, rows, title, before, scope = 'row' }: SumsProps<Row>) {
  const place = columns.findIndex(({ sum }) => sum !== undefined)
  const first = place < 0 ? columns.length : Math.max(place, 1)
  return (
    <>
      <th scope={scope} colSpan={first + before}>
        {title}
      </th>
      {columns.slice(first).map(column => (
        <td key={column.key} className={classes[column.align ?? '']}>
          {column.sum?.(rows)}
        </td>
      ))}
    </>
  )
}

interface HeadProps<Row> {
  column: Column<Row>
  sorted: 'ascending' | 'descending' | undefined
  onSort: (key: string) => void
}

function Head<Row>({ column, sorted, onSort }: HeadProps<Row>) {
  const className = classes[column.align ?? (column.acts === true ? 'end' : '')]
  if (column.sortBy === undefined) {
    return (
      <th scope="col" className={className}>
        <span className={column.acts === true ? 'visually-hidden' : undefined}>{column.head}</span>
      </th>
    )
  }
  return (
    <th scope="col" className={className} aria-sort={sorted}>
      <button
        type="button"
        className={classes.sort}
        title={texts.sortBy(column.head)}
        onClick={() => onSort(column.key)}
      >
        {column.head}
        <ChevronDown size={16} className={sorted === undefined ? classes.unsorted : classes[sorted]} />
      </button>
    </th>
  )
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  const className = classes[column.align ?? (column.acts === true ? 'acts' : '')]
  return column.names === true ? (
    <th scope="row" className={`${classes.names} ${className ?? ''}`}>
      {children}
    </th>
  ) : (
    <td className={className}>{children}</td>
  )
}

/** The space of rows outside the virtual window. */
function Space({ height, columns }: { height: number; columns: number }) {
  if (height === 0) return null
  return (
    <tr className={classes.space}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

const STEPS: Record<string, 'nextElementSibling' | 'previousElementSibling'> = {
  ArrowDown: 'nextElementSibling',
  ArrowUp: 'previousElementSibling',
}

/** Moves the focus to the same element one row on; to the last if that row has fewer. */
function moveOn(event: KeyboardEvent<HTMLElement>) {
  const step = STEPS[event.key]
  const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
  if (step === undefined || row === null || (event.target as HTMLElement).closest('[role=menu], input'))
    return
  const place = targetsOf(row).indexOf(event.target as HTMLElement)
  for (let next = row[step]; next !== null; next = next[step]) {
    const targets = targetsOf(next)
    const target = targets[Math.min(place, targets.length - 1)]
    if (target === undefined) continue
    event.preventDefault()
    target.focus()
    return
  }
}

const targetsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>('button:not(:disabled), a[href]')]

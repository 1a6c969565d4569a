/** The table as a table: for windows that are wide enough. Up and Down lead from row to row. */
import { type KeyboardEvent, useRef } from 'react'
import { ChevronDown } from '../../ui/icons'
import { Table } from '../../ui/Table'
import { texts } from '../texts'
import type { Column } from './DataTable'
import classes from './Rows.module.css'
import { useNear } from './useNear'

export interface ListProps<Row> {
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  sorting: { id: string; desc: boolean } | null
  onSort: (key: string) => void
}

const ROW_PX = 64

export function Rows<Row>({ caption, rows, columns, keyOf, sorting, onSort }: ListProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const near = useNear(body, rows.length, ROW_PX)
  return (
    <Table caption={caption} rowCount={rows.length + 1}>
      <thead>
        <tr>
          {columns.map(column => (
            <Head
              key={column.key}
              column={column}
              sorted={sorting?.id === column.key ? (sorting.desc ? 'descending' : 'ascending') : undefined}
              onSort={onSort}
            />
          ))}
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={moveOn}>
        <Space height={near.before} columns={columns.length} />
        {near.indices.map(index => {
          const row = rows[index]
          return (
            row !== undefined && (
              <tr key={keyOf(row)} data-index={index} ref={near.measure} aria-rowindex={index + 2}>
                {columns.map(column => (
                  <Cell key={column.key} column={column} row={row} />
                ))}
              </tr>
            )
          )
        })}
        <Space height={near.after} columns={columns.length} />
      </tbody>
    </Table>
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

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const className = classes[column.align ?? (column.acts === true ? 'acts' : '')]
  const content = column.cell(row)
  return column.names === true ? (
    <th scope="row" className={className}>
      {content}
    </th>
  ) : (
    <td className={className}>{content}</td>
  )
}

/** In the place of the rows that are far from the window. */
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

/** From what has the focus to the same thing one row on; where the row has fewer, to its last. */
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

/**
 * The one table: sorted by its heads, with a head that stays in sight, cards in its place on narrow windows, and of a long
 * list only what is near the window. What is shown of it is narrowed down outside (`useSearch`).
 *
 * Sorting is TanStack Table's business, and which rows are near is TanStack Virtual's; markup, keys and looks are ours.
 */
import {
  createSortedRowModel,
  type Row as ModelRow,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo, useState } from 'react'
import { useMatch } from '../../ui/useMatch'
import { Cards } from './Cards'
import { Rows } from './Rows'

export interface Column<Row> {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  /** What rows are sorted by; without it they are not. */
  sortBy?: (row: Row) => string | number
  /** It names its row: a head of its own in the table, the heading of the card. */
  names?: boolean
  /** Figures stand at the end. */
  align?: 'end'
  /** What can be done to the row: without a word above it, and at the foot of the card. */
  acts?: boolean
}

interface DataTableProps<Row> {
  /** What the table is about, for who cannot see the heading above it. */
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** The column by which it is sorted at first, upwards; without it the rows stay as they come. */
  sortedBy?: string
}

/** A table needs more room than other things side by side. */
const ROOM = '(min-width: 1101px), print'

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

export type Features = typeof features

const inGerman = new Intl.Collator('de', { numeric: true })

function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : inGerman.compare(String(one), String(other))
}

export function DataTable<Row extends object>({
  caption,
  rows,
  columns,
  keyOf,
  sortedBy,
}: DataTableProps<Row>) {
  const wide = useMatch(ROOM)
  const [sorting, setSorting] = useState<SortingState>(
    sortedBy === undefined ? [] : [{ id: sortedBy, desc: false }],
  )
  const model = useMemo(
    () =>
      columns.map(({ key, sortBy }) => ({
        id: key,
        accessorFn: (row: Row) => sortBy?.(row) ?? '',
        enableSorting: sortBy !== undefined,
        sortDescFirst: false,
        sortFn: (one: ModelRow<Features, Row>, other: ModelRow<Features, Row>) =>
          compare(sortBy?.(one.original) ?? '', sortBy?.(other.original) ?? ''),
      })),
    [columns],
  )
  const table = useTable({
    features,
    columns: model,
    data: rows,
    getRowId: keyOf,
    state: { sorting },
    onSortingChange: setSorting,
  })
  const sorted = table.getRowModel().rows.map(({ original }) => original)
  const List = wide ? Rows : Cards
  return (
    <List
      caption={caption}
      rows={sorted}
      columns={columns}
      keyOf={keyOf}
      sorting={sorting[0] ?? null}
      onSort={key => table.getColumn(key)?.toggleSorting()}
    />
  )
}

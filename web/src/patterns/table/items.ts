/** A table's items, line by line: sorted and grouped rows, group heads, unfolded details. Pure. */

export type Item<Row> =
  | { kind: 'group'; key: string; title: string; rows: readonly Row[] }
  | { kind: 'row' | 'details'; key: string; row: Row }

interface Wanted<Row> {
  keyOf: (row: Row) => string
  groupOf?: ((row: Row) => string) | undefined
  /** The unfolded rows, by key. */
  open: ReadonlySet<string>
  /** The sort value; without it the rows keep their order. */
  by?: ((row: Row) => Sortable) | undefined
  down: boolean
}

export function itemsOf<Row>(rows: readonly Row[], wanted: Wanted<Row>): Item<Row>[] {
  const { keyOf, groupOf, open, by, down } = wanted
  const lines = (some: readonly Row[]) =>
    sorted(some, by, down).flatMap((row): Item<Row>[] => {
      const key = keyOf(row)
      const line: Item<Row> = { kind: 'row', key, row }
      return open.has(key) ? [line, { kind: 'details', key: `${key}/details`, row }] : [line]
    })
  if (groupOf === undefined) return lines(rows)
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const title = groupOf(row)
    const group = groups.get(title)
    if (group === undefined) groups.set(title, [row])
    else group.push(row)
  }
  return [...groups].flatMap(([title, ofGroup]): Item<Row>[] => [
    { kind: 'group', key: `group/${title}`, title, rows: ofGroup },
    ...lines(ofGroup),
  ])
}

type Sortable = string | number

const inGerman = new Intl.Collator('de', { numeric: true })

const compare = (a: Sortable, b: Sortable) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : inGerman.compare(String(a), String(b))

export interface Sorting {
  key: string
  down: boolean
}

function sorted<Row>(
  rows: readonly Row[],
  by: ((row: Row) => Sortable) | undefined,
  down: boolean,
): readonly Row[] {
  if (by === undefined) return rows
  return [...rows].sort((a, b) => compare(by(a), by(b)) * (down ? -1 : 1))
}

/** Ascending, descending, then the given order. */
export function nextSorting(present: Sorting | null, key: string): Sorting | null {
  if (present?.key !== key) return { key, down: false }
  return present.down ? null : { key, down: true }
}

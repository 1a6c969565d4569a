/** Freezes the order of rows while the user reads them. Pure. */

export interface Placed<Row> {
  row: Row
  /** It is no longer in the list. */
  gone: boolean
}

/**
 * The rows in their previous places: updated, removed ones as they were, and new ones at the end. Without `before` they
 * keep their given order.
 */
export function freezeOrder<Row>(
  before: readonly Placed<Row>[] | null,
  now: readonly Row[],
  keyOf: (row: Row) => string,
): Placed<Row>[] {
  const byKey = new Map(now.map(row => [keyOf(row), row]))
  const keptRows = (before ?? []).map(({ row }) => {
    const present = byKey.get(keyOf(row))
    byKey.delete(keyOf(row))
    return { row: present ?? row, gone: present === undefined }
  })
  return [...keptRows, ...[...byKey.values()].map(row => ({ row, gone: false }))]
}

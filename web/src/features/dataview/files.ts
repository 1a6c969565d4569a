/** The rows of a table as files: JSON unchanged, and CSV, quoted where a spreadsheet needs it. */

import { cellOf, fileOf } from '../../patterns/table/csv'

export type Row = Readonly<Record<string, unknown>>

/** All members of any row, in order of appearance. */
export const membersOf = (rows: readonly Row[]) => [...new Set(rows.flatMap(Object.keys))]

export const jsonOf = (rows: readonly Row[]) => JSON.stringify(rows, null, 2)

/** Numbers and booleans unchanged, objects as JSON. */
export function csvOf(rows: readonly Row[]): string {
  const members = membersOf(rows)
  return fileOf([members.map(cellOf), ...rows.map(row => members.map(member => textOf(row[member])))])
}

function textOf(value: unknown): string {
  if (value == null) return ''
  if (typeof value === 'object') return cellOf(JSON.stringify(value))
  return typeof value === 'string' ? cellOf(value) : String(value)
}

/** Whether the JSON of a row, or of its displayed values, contains the words. */
export const has = (row: Row | readonly string[], words: string) =>
  JSON.stringify(row).toLowerCase().includes(words.trim().toLowerCase())

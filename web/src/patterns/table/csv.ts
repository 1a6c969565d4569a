/**
 * A table as a file for a spreadsheet, as these read it in German: semicolons, decimal commas, a mark that it is UTF-8.
 *
 * A program of another locale splits the lines at commas or tabs. Quotes do not stop it, because for it they stand in
 * the middle of a cell. So an apostrophe stands before whatever would begin a formula in any of these readings.
 */

export type Value = string | number | null | undefined

const BEGINNING = /^(?=[\t-\r]|[\s"\u200b\x85]*[=+\-@＝＋－＠])/
const BEHIND_SEPARATOR = /([,;|\t-\r\x85\u2028\u2029])(?=[\s"\u200b\x85]*[=+\-@＝＋－＠])/g

export function csvOf(heads: readonly string[], rows: readonly (readonly Value[])[]): string {
  return fileOf([heads, ...rows].map(row => row.map(cellText)))
}

/** The file of lines whose cells `cellOf` has written. */
export const fileOf = (lines: readonly (readonly string[])[]) =>
  `\uFEFF${lines.map(cells => cells.join(';')).join('\r\n')}\r\n`

/** A text as a cell: no formula, and quoted where it would be several cells. */
export function cellOf(text: string): string {
  const harmless = text.replace(BEHIND_SEPARATOR, "$1'").replace(BEGINNING, "'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const cellText = (value: Value) =>
  typeof value === 'number' ? String(value).replace('.', ',') : cellOf(value ?? '')

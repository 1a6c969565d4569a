/**
 * A table as a spreadsheet file in the German format: semicolons, decimal commas, a UTF-8 mark.
 *
 * A program with another locale splits lines at commas or tabs. Quotes do not prevent that, since they are in the
 * middle of a cell for it. So an apostrophe precedes anything that would start a formula in one of these readings.
 */

export type Value = string | number | null | undefined

const BEGINNING = /^(?=[\t-\r]|[\s"\u200b\x85]*[=+\-@＝＋－＠])/
const BEHIND_SEPARATOR = /([,;|\t-\r\x85\u2028\u2029])(?=[\s"\u200b\x85]*[=+\-@＝＋－＠])/g

export function csvOf(heads: readonly string[], rows: readonly (readonly Value[])[]): string {
  return fileOf([heads, ...rows].map(row => row.map(cellText)))
}

/** The file of lines whose cells come from `cellOf`. */
export const fileOf = (lines: readonly (readonly string[])[]) =>
  `\uFEFF${lines.map(cells => cells.join(';')).join('\r\n')}\r\n`

/** A text as a cell: never a formula, and quoted if it would be split. */
export function cellOf(text: string): string {
  const harmless = text.replace(BEHIND_SEPARATOR, "$1'").replace(BEGINNING, "'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const cellText = (value: Value) =>
  typeof value === 'number' ? String(value).replace('.', ',') : cellOf(value ?? '')

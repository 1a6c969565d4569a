/** The rows of a table as files: JSON as they came, and CSV, quoted where a spreadsheet would stumble. */

export type Row = Readonly<Record<string, unknown>>

/** All members that any of the rows has, in the order in which they come. */
export const membersOf = (rows: readonly Row[]) => [...new Set(rows.flatMap(Object.keys))]

export const jsonOf = (rows: readonly Row[]) => JSON.stringify(rows, null, 2)

/** Semicolons between; what holds quotes, commas, semicolons or new lines in quotes, and these doubled. */
export function csvOf(rows: readonly Row[]): string {
  const members = membersOf(rows)
  const lines = [members, ...rows.map(row => members.map(member => row[member]))]
  return `\uFEFF${lines.map(line => line.map(written).join(';')).join('\r\n')}\r\n`
}

function written(value: unknown): string {
  if (value == null) return ''
  if (typeof value !== 'string')
    return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value))
  // What a spreadsheet would compute is said to be words.
  return quoted(value.replace(/^(?=[=+\-@\t\r])/, "'"))
}

const quoted = (text: string) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Whether the JSON of a row, or of what it says, has the words in it. */
export const has = (row: Row | readonly string[], words: string) =>
  JSON.stringify(row).toLowerCase().includes(words.trim().toLowerCase())

/** A table as a file for a spreadsheet, as these read it in German: semicolons, decimal commas, a mark that it is UTF-8. */

export type Value = string | number | null | undefined

export function csvOf(heads: readonly string[], rows: readonly (readonly Value[])[]): string {
  return `\uFEFF${[heads, ...rows].map(row => row.map(written).join(';')).join('\r\n')}\r\n`
}

function written(value: Value): string {
  if (typeof value === 'number') return String(value).replace('.', ',')
  // What a spreadsheet would compute is said to be words.
  const text = (value ?? '').replace(/^(?=[=+\-@\t\r\n＝＋－＠])/, "'")
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Days as they are written, one form each; the service writes the same (`kit/german.py`). */
import { addDays, formatter } from './days'

const atMidnight = (day: string) => new Date(`${day}T00:00:00Z`)

const LONG_DAY = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const

/** "20. November 2026": a day in a sentence. */
export const writtenDay = (day: string) => formatter(LONG_DAY).format(atMidnight(day))

/** "3.–5. August 2026", "30. Oktober – 2. November 2026"; of one day only that. */
export const spanOfDays = (first: string, last: string) =>
  first === last
    ? writtenDay(first)
    : formatter(LONG_DAY)
        .formatRange(atMidnight(first), atMidnight(last))
        // Some browsers set thin blanks here.
        .replaceAll('\u2009', ' ')

/** Days, in any order, as their spans: "3.–5. August 2026, 7. August 2026". */
export function spansOfDays(days: readonly string[]): string[] {
  const runs: [string, string][] = []
  for (const day of [...new Set(days)].sort()) {
    const run = runs.at(-1)
    if (run !== undefined && addDays(run[1], 1) === day) run[1] = day
    else runs.push([day, day])
  }
  return runs.map(([first, last]) => spanOfDays(first, last))
}

/** "10.–14. August 2026, 21. August 2026"; null without any. */
export const writtenSpans = (spans: readonly { startDate: string; endDate: string }[] = []) =>
  spans.length === 0 ? null : spans.map(({ startDate, endDate }) => spanOfDays(startDate, endDate)).join(', ')

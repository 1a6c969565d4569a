/** Absence days grouped as reported: the days of one report in the same state are decided together. Pure. */
import type { components } from '../../api/schema'
import { grouped } from '../../ui/grouped'

export type Absence = components['schemas']['AbsenceRow']

export interface Report {
  /** The report and its state, since one report may have several. */
  id: string
  userId: string
  username: string
  status: Absence['status']
  first: string
  last: string
  /** In order, at least one. */
  days: readonly [Absence, ...Absence[]]
  messages: string[]
}

export function reportsOf(absences: readonly Absence[]): Report[] {
  return grouped(absences, ({ reportId, status }) => `${reportId}/${status}`).map(([first, ...more]) => {
    const sorted = [first, ...more].sort((a, b) => a.date.localeCompare(b.date))
    const [day = first, ...others] = sorted
    return {
      id: day.reportId,
      userId: day.userId,
      username: day.username,
      status: day.status,
      first: day.date,
      last: sorted.at(-1)?.date ?? day.date,
      days: [day, ...others],
      messages: [...new Set(sorted.flatMap(({ userMessage }) => userMessage ?? []))],
    }
  })
}

/** What waits for a decision of the administrator, in one shape: what is shown of it, and its own row. Pure. */
import type { components } from '../../api/schema'

export type Absence = components['schemas']['AbsenceRow']
export type Leave = components['schemas']['RequestRow']
export type Correction = components['schemas']['CorrectionRow']

/** The open days of one report, which are decided together. */
export interface Report {
  id: string
  username: string
  first: string
  last: string
  count: number
  day: Absence
  messages: string[]
}

export function openReports(absences: readonly Absence[]): Report[] {
  const byReport = new Map<string, Absence[]>()
  for (const absence of absences) {
    byReport.set(absence.reportId, [...(byReport.get(absence.reportId) ?? []), absence])
  }
  return [...byReport.values()].flatMap(days => {
    const sorted = [...days].sort((one, other) => (one.date < other.date ? -1 : 1))
    const [day] = sorted
    if (day === undefined) return []
    return {
      id: day.reportId,
      username: day.username,
      first: day.date,
      last: sorted.at(-1)?.date ?? day.date,
      count: sorted.length,
      day,
      messages: [...new Set(sorted.flatMap(({ userMessage }) => userMessage ?? []))],
    }
  })
}

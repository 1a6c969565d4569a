/** The days of a month grouped by report: the days of one sick report belong together. Pure. */
import type { components } from '../../api/schema'
import { addDays } from '../../ui/days'
import { bounds } from '../../ui/months'

export type Absence = components['schemas']['AbsenceRow']

/** The longest report, so that one that touches a month is loaded as a whole. */
const REPORT_DAYS = 183

/** The range to fetch, so that every report that touches the month is complete. */
export function around(month: string): { from: string; to: string } {
  const { from, to } = bounds(month)
  return { from: addDays(from, -REPORT_DAYS), to: addDays(to, REPORT_DAYS) }
}

/** Consecutive days with the same decision. */
export interface Run {
  first: string
  last: string
  status: Absence['status']
}

export interface Report {
  id: string
  kind: Absence['kind']
  /** The reason of a special absence. */
  reason: string | null
  first: string
  last: string
  runs: Run[]
  /** Any day that is not withdrawn, for uploading a note for all of them; null without such a day. */
  day: Absence | null
  /** The day that has the note. */
  noted: Absence | null
  /** Whether the company has the certificate from the health insurance. */
  certified: boolean
  messages: string[]
  /** The administrators' comments. */
  comments: string[]
  /** The day that can take a message: one with a message, else the first open one. */
  answerable: Absence | null
  /** The undecided days, in order. */
  open: readonly Absence[]
  ids: ReadonlySet<string>
}

/** The reports that touch the month, the latest first. */
export function reportsOf(absences: readonly Absence[], month: string): Report[] {
  const { from, to } = bounds(month)
  const byReport = new Map<string, Absence[]>()
  for (const absence of [...absences].sort((a, b) => (a.date < b.date ? -1 : 1))) {
    byReport.set(absence.reportId, [...(byReport.get(absence.reportId) ?? []), absence])
  }
  return [...byReport.values()]
    .flatMap(reportOf)
    .filter(({ first, last }) => last >= from && first <= to)
    .sort((a, b) => (a.last === b.last ? (a.first > b.first ? -1 : 1) : a.last > b.last ? -1 : 1))
}

function reportOf(days: readonly Absence[]): Report[] {
  const [first] = days
  const last = days.at(-1)
  if (first === undefined || last === undefined) return []
  const open = days.filter(({ status }) => status === 'open')
  return [
    {
      id: first.reportId,
      kind: (days.find(({ kind }) => kind === 'sick') ?? first).kind,
      reason: first.reason,
      first: first.date,
      last: last.date,
      runs: runsOf(days),
      day: days.find(({ status }) => status !== 'cancelled') ?? null,
      noted: days.find(({ sickNotePath }) => sickNotePath !== null) ?? null,
      certified: days.some(({ certified }) => certified),
      messages: [...new Set(days.flatMap(({ userMessage }) => userMessage ?? []))],
      comments: [...new Set(days.flatMap(({ comment }) => comment ?? []))],
      answerable: open.find(({ userMessage }) => userMessage !== null) ?? open[0] ?? null,
      open,
      ids: new Set(days.map(({ id }) => id)),
    },
  ]
}

function runsOf(days: readonly Absence[]): Run[] {
  const runs: Run[] = []
  for (const { date, status } of days) {
    const run = runs.at(-1)
    if (run?.status === status) run.last = date
    else runs.push({ first: date, last: date, status })
  }
  return runs
}

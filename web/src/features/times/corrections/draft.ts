/** What the form is opened with: of an entry, what is known of it, until its shift is; of nothing, today. */
import { currentDay } from '../../../ui/days'
import type { TimeEntry } from '../sheet'
import type { CorrectionWish } from './useCorrections'

export interface Draft {
  date: string
  start: string
  end: string
  reason: string
  entryId: string | null
  /** Whether the times are somebody's own words, which nothing takes the place of. */
  typed: boolean
}

export const emptyDraft = (): Draft => ({
  date: currentDay(),
  start: '',
  end: '',
  reason: '',
  entryId: null,
  typed: false,
})

export const draftOf = ({ id, date, start, end }: TimeEntry): Draft => ({
  date,
  start: start ?? '',
  end: end ?? '',
  reason: '',
  entryId: id,
  typed: false,
})

/** What was sent and came back. */
export function draftOfWish(body: unknown): Draft {
  const { date, newStart, newEnd, reason, entryId } = body as CorrectionWish
  return { date, start: newStart ?? '', end: newEnd ?? '', reason: reason ?? '', entryId, typed: true }
}

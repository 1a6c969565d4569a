/** The form's initial values: of an entry, with its known times until its shift is loaded; without an entry, today. */
import { currentDay } from '../../../ui/days'
import type { TimeEntry } from '../sheet'
import type { CorrectionWish } from './useCorrections'

export interface Draft {
  date: string
  start: string
  end: string
  reason: string
  entryId: string | null
  /** Whether the user has typed the times, so that nothing replaces them. */
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

/** A refused request from the outbox. */
export function draftOfWish(body: unknown): Draft {
  const { date, newStart, newEnd, reason, entryId } = body as CorrectionWish
  return { date, start: newStart ?? '', end: newEnd ?? '', reason: reason ?? '', entryId, typed: true }
}

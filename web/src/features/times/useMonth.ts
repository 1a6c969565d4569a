/** One month of a user's entries, readable offline. */
import { reading } from '../../api/reading'
import { type Stored, useStored } from '../../patterns/useStored'
import { bounds } from '../../ui/months'
import type { TimeEntry } from './sheet'

export const timesKey = (userId: string) => ['times', userId] as const

export type MonthView = Stored<TimeEntry[]>

export function useMonth(userId: string, month: string, enabled = true): MonthView {
  return useStored({
    userId,
    key: [...timesKey(userId), month],
    ask: reading('/api/users/{userId}/times', { path: { userId }, query: bounds(month) }),
    enabled,
  })
}

/** A month of an account, its year, and the month's entries: readable offline, and live. */
import { reading } from '../../api/reading'
import type { components } from '../../api/schema'
import { useFollow } from '../../patterns/useFollow'
import { type Stored, useStored } from '../../patterns/useStored'
import { addDays } from '../../ui/days'
import { bounds, yearOf } from '../../ui/months'

type Schemas = components['schemas']

export type MonthAccount = Schemas['MonthAccount']
export type YearAccount = Schemas['YearAccount']
export type TimeEntry = Schemas['TimeEntryRow']
export type Vacation = Schemas['VacationRow']

/** The endpoint returns either. */
type Asking<Account> = (signal: AbortSignal) => Promise<Account>

const accountKey = (userId: string) => ['balance', userId] as const

export function useMonthAccount(userId: string, month: string): Stored<MonthAccount> {
  return useStored({
    userId,
    key: [...accountKey(userId), 'month', month],
    ask: reading('/api/users/{userId}/account', {
      path: { userId },
      query: { month },
    }) as Asking<MonthAccount>,
  })
}

/** The month's year. */
export function useYearAccount(userId: string, month: string): Stored<YearAccount> {
  const year = String(yearOf(month)).padStart(4, '0')
  return useStored({
    userId,
    key: [...accountKey(userId), 'year', year],
    ask: reading('/api/users/{userId}/account', { path: { userId }, query: { year } }) as Asking<YearAccount>,
  })
}

/**
 * Fetched with the page, before the user unfolds them, so that they are available offline. Includes the day after the
 * month: a shift over the month's end counts in this month.
 */
export function useEntries(userId: string, month: string): Stored<TimeEntry[]> {
  const { from, to } = bounds(month)
  return useStored({
    userId,
    key: [...accountKey(userId), 'entries', month],
    ask: reading('/api/users/{userId}/times', { path: { userId }, query: { from, to: addDays(to, 1) } }),
  })
}

/** Stamps, leave, duties and decisions: each may change the account. Returns whether the stream is open. */
export function useLiveAccount(userId: string): boolean {
  return useFollow(['times_update', 'plan_update', 'messages_update'], { queryKey: accountKey(userId) })
}

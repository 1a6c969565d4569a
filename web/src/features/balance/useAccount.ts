/** A month of an account, its year, and the entries of the month: all of it readable offline, all of it kept fresh. */
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { useFollow } from '../../patterns/useFollow'
import { type Stored, useStored } from '../../patterns/useStored'
import { bounds, yearOf } from '../../ui/months'

type Schemas = components['schemas']

export type MonthAccount = Schemas['MonthAccount']
export type YearAccount = Schemas['YearAccount']
export type TimeEntry = Schemas['TimeEntryRow']
export type Vacation = Schemas['VacationRow']

const accountKey = (userId: string) => ['balance', userId] as const

export function useMonthAccount(userId: string, month: string): Stored<MonthAccount> {
  return useStored({
    userId,
    key: [...accountKey(userId), 'month', month],
    ask: async signal =>
      dataOf(
        await api.GET('/api/users/{userId}/account', {
          params: { path: { userId }, query: { month } },
          signal,
        }),
      ) as MonthAccount,
  })
}

/** The year in which the month lies. */
export function useYearAccount(userId: string, month: string): Stored<YearAccount> {
  const year = String(yearOf(month)).padStart(4, '0')
  return useStored({
    userId,
    key: [...accountKey(userId), 'year', year],
    ask: async signal =>
      dataOf(
        await api.GET('/api/users/{userId}/account', {
          params: { path: { userId }, query: { year } },
          signal,
        }),
      ) as YearAccount,
  })
}

/** Asked for with the page and not only once somebody unfolds them, so that they are there without a network, too. */
export function useEntries(userId: string, month: string): Stored<TimeEntry[]> {
  return useStored({
    userId,
    key: [...accountKey(userId), 'entries', month],
    ask: async signal =>
      dataOf(
        await api.GET('/api/users/{userId}/times', {
          params: { path: { userId }, query: bounds(month) },
          signal,
        }),
      ),
  })
}

/** Stamps, leave and duties, decisions: each may change the account. Returns whether the stream is open. */
export function useLiveAccount(userId: string): boolean {
  return useFollow(['times_update', 'plan_update', 'messages_update'], { queryKey: accountKey(userId) })
}

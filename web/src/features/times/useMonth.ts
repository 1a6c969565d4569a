/**
 * One month of a user's entries: from the service, kept for reading offline, and from that store while the service
 * has not answered or cannot.
 */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import { currentSession } from '../../api/session'
import { keep, recall } from '../../offline/snapshots'
import { bounds } from '../../ui/months'
import type { TimeEntry } from './sheet'

interface Loaded {
  entries: TimeEntry[]
  savedAt: number
}

export interface MonthView {
  entries: TimeEntry[] | null
  /** When the service said this. */
  savedAt: number | null
  /** Whether it comes from the store and not from the service. */
  stored: boolean
  error: unknown
  loading: boolean
  reload: () => Promise<unknown>
}

export const timesKey = (userId: string, month?: string) =>
  month === undefined ? ['times', userId] : ['times', userId, month]

const storeName = (month: string) => `times/${month}`

async function fromService(userId: string, month: string, signal: AbortSignal): Promise<Loaded> {
  const answer = await api.GET('/api/users/{userId}/times', {
    params: { path: { userId }, query: bounds(month) },
    signal,
  })
  const loaded = { entries: dataOf(answer), savedAt: Date.now() }
  // A late answer must not be kept on the device of somebody who has logged out meanwhile.
  if (currentSession()?.userId === userId)
    await keep(userId, storeName(month), loaded.entries, loaded.savedAt)
  return loaded
}

async function fromStore(userId: string, month: string): Promise<Loaded | null> {
  const snapshot = await recall(userId, storeName(month))
  return snapshot === null ? null : { entries: snapshot.data as TimeEntry[], savedAt: snapshot.savedAt }
}

export function useMonth(userId: string, month: string): MonthView {
  const served = useQuery({
    queryKey: timesKey(userId, month),
    queryFn: ({ signal }) => fromService(userId, month, signal),
  })
  const stored = useQuery({
    queryKey: ['stored-times', userId, month],
    queryFn: () => fromStore(userId, month),
    enabled: served.data === undefined,
    gcTime: 0,
  })
  const shown = served.data ?? stored.data ?? null
  return {
    entries: shown?.entries ?? null,
    savedAt: shown?.savedAt ?? null,
    stored: served.data === undefined && shown !== null,
    error: served.error,
    loading: served.isFetching,
    reload: served.refetch,
  }
}

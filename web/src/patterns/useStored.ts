/**
 * An answer of the service, stored for offline reading, and read from the store while the service has not answered or
 * cannot. The hook for everything that is readable offline.
 *
 * The store's code is a database, so it is fetched on demand: for reading once the service has kept the user waiting,
 * for writing once the page has painted.
 */
import { type Query, type QueryClient, type QueryFunctionContext, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useReachable } from '../api/connectivity'
import { currentSession } from '../api/session'
import { now } from '../ui/now'
import type { QueryState } from './QueryView'

/** How long to wait for an answer before showing a stored one. */
export const PATIENCE_MS = 200
/** A page's prefetched answers stay fresh this long, so that rendering the page does not fetch again. */
const FRESH_MS = 1_000

export interface StoredQuery<Data> {
  /** The data's user. */
  userId: string
  /** The cache key; together with the user also the store's key. */
  key: readonly [kind: string, userId: string, ...rest: string[]]
  ask: (signal: AbortSignal) => Promise<Data>
}

interface StoredOptions<Data> extends StoredQuery<Data> {
  enabled?: boolean
}

interface Loaded<Data> {
  data: Data
  savedAt: number
}

export interface Stored<Data> extends QueryState<Data> {
  /** When the service gave this, in milliseconds; null without data. */
  savedAt: number | null
  /** Whether it comes from the store and not from the service. */
  stored: boolean
}

export function useStored<Data>({ enabled = true, ...query }: StoredOptions<Data>): Stored<Data> {
  const { userId, key } = query
  const name = nameOf(key)
  const served = useQuery({
    ...servedQuery(query),
    enabled,
    // Not `staleTime`: an answer that becomes stale during a deferred render would be refetched at once.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: refetchIfStale,
    refetchOnWindowFocus: refetchIfStale,
  })
  const waited = useWaited(name)
  const reachable = useReachable()
  const stored = useQuery({
    queryKey: ['stored', ...key],
    queryFn: async (): Promise<Loaded<Data> | null> => {
      const { recall } = await import('../offline/snapshots')
      const snapshot = await recall(userId, name)
      return snapshot === null ? null : { data: snapshot.data as Data, savedAt: snapshot.savedAt }
    },
    enabled: enabled && served.data === undefined && (waited || !reachable || served.error !== null),
    gcTime: 0,
  })
  const shownAnswer = useDeferredByKey(name, served.data ?? stored.data ?? null)
  return {
    data: shownAnswer?.data,
    savedAt: shownAnswer?.savedAt ?? null,
    stored: served.data === undefined && shownAnswer !== null,
    error: served.error,
    isFetching: served.isFetching,
    refetch: served.refetch,
  }
}

/** Prefetches the data of a page. */
export function prepareStored<Data>(queries: QueryClient, query: StoredQuery<Data>): void {
  void queries.prefetchQuery({ ...servedQuery(query), staleTime: FRESH_MS })
}

const refetchIfStale = <Data>({ state }: Query<Loaded<Data>>) =>
  !state.isInvalidated && Date.now() - state.dataUpdatedAt < FRESH_MS ? false : 'always'

const servedQuery = <Data>({ key, ask }: StoredQuery<Data>) => ({
  queryKey: key,
  queryFn: async ({ signal, client }: QueryFunctionContext): Promise<Loaded<Data>> => {
    const loaded = { data: await ask(signal), savedAt: now().getTime() }
    void keepLater(client, key)
    return loaded
  },
})

/** Its name in the store, among a user's entries. */
const nameOf = ([kind, , ...rest]: StoredQuery<unknown>['key']) => [kind, ...rest].join('/')

/** Applies a change to the cached answer; it lasts until the next answer of the service. */
export async function amend<Data>(
  queries: QueryClient,
  key: StoredQuery<Data>['key'],
  change: (data: Data) => Data,
): Promise<void> {
  // An answer in flight may be older.
  await queries.cancelQueries({ queryKey: key, exact: true })
  queries.setQueryData<Loaded<Data>>(key, previous =>
    previous === undefined ? undefined : { ...previous, data: change(previous.data) },
  )
}

/**
 * Defers new data of a key, so that a slow phone still reacts to touch; data that exists when the key changes renders
 * at once, and never under another key.
 */
function useDeferredByKey<Data>(name: string, come: Data): Data {
  const current = useMemo(() => ({ name, come }), [name, come])
  const deferredCurrent = useDeferredValue(current)
  return deferredCurrent.name === name ? deferredCurrent.come : come
}

/** Whether `PATIENCE_MS` have passed since the first request. */
function useWaited(name: string): boolean {
  const [waited, setWaited] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setWaited(name), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [name])
  return waited === name
}

async function keepLater(queries: QueryClient, key: StoredQuery<unknown>['key']) {
  await afterPaint()
  const { keep } = await import('../offline/snapshots')
  const [, userId] = key
  // Reads the present state. After a logout, nothing is known and nothing is stored.
  const loaded = queries.getQueryData<Loaded<unknown>>(key)
  if (loaded === undefined || currentSession()?.userId !== userId) return
  await keep(userId, nameOf(key), loaded.data, loaded.savedAt)
}

/** Resolves after the next paint, when the browser is idle. */
function afterPaint(): Promise<void> {
  return new Promise(resolve => {
    const later = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 50))
    requestAnimationFrame(() => setTimeout(() => later(() => resolve(), { timeout: 2_000 })))
  })
}

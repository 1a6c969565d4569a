/** The page's queries and mutations. Queries can be read offline; a hand-over can be requested offline, too. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { api, ignoreNotFound } from '../../api/client'
import { reading } from '../../api/reading'
import type { Session } from '../../api/session'
import { useQueued, useUnsent } from '../../patterns/sending'
import { useAct } from '../../patterns/useAct'
import { cancelAndRefetch, useFollow } from '../../patterns/useFollow'
import { type Stored, type StoredQuery, useStored } from '../../patterns/useStored'
import {
  approvedLeave,
  askedRows,
  type Candidate,
  covers,
  type Duty,
  day,
  type Leave,
  ownDuties,
  type Range,
  rangeAhead,
  type SwapRequest,
  type SwapState,
  weeksAround,
} from './plan'
import { texts } from './texts'

/** The kind of hand-overs in the outbox. */
export const HAND_OVER = 'handoff'

const PARTS: readonly unknown[] = ['schedule', 'swap-requests', 'leave', 'swap-candidates']

export interface Duties extends Range {
  duties: Duty[]
}

/** This month and the next two, and the shown month if it is another one. */
export function useDuties(session: Session, month: string, today: string) {
  const ahead = useStored(dutiesAhead(session, today))
  const near = covers(ahead.data ?? rangeAhead(today), month)
  const otherMonth = useStored({ ...dutiesIn(session, month, weeksAround(month)), enabled: !near })
  return { ahead, shown: near ? ahead : otherMonth }
}

export const dutiesAhead = (session: Session, today: string) => dutiesIn(session, 'ahead', rangeAhead(today))

const PATH = '/api/companies/{companyId}/schedule'

const dutiesIn = ({ userId, companyId }: Session, name: string, range: Range): StoredQuery<Duties> => ({
  userId,
  key: ['schedule', userId, name],
  ask: async signal => {
    const [rows, messages] = await Promise.all([
      reading(PATH, { path: { companyId }, query: range })(signal),
      // Messages only mark changes, so their failure is ignored.
      reading('/api/messages', {})(signal).catch(() => []),
    ])
    return { ...range, duties: ownDuties(rows, userId, messages) }
  },
})

export function useLeave({ userId }: Session): Stored<Leave[]> {
  return useStored({
    userId,
    key: ['leave', userId],
    ask: async signal => approvedLeave(await reading('/api/vacation-requests/mine', {})(signal)),
  })
}

/**
 * The user's pending requests. A newly sent one appears at once, and stays until the service's next event or until it
 * is dropped.
 */
export function useAsked({ userId }: Session) {
  const served = useStored({
    userId,
    key: ['swap-requests', userId],
    ask: async signal => askedRows(await reading('/api/schedule/my-swap-requests', {})(signal)),
  })
  const [sent, setSent] = useState<readonly SwapRequest[]>([])
  const knownRows = served.data ?? []
  const fresh = sent.filter(({ date }) => !knownRows.some(row => row.date === date))
  const add = useCallback(
    (row: SwapRequest) => setSent(rows => [...rows, { ...row, date: day(row.date) }]),
    [],
  )
  const forget = useCallback((id?: string) => {
    setSent(rows => rows.filter(row => id !== undefined && row.id !== id))
  }, [])
  return {
    served,
    rows: [...knownRows, ...fresh].sort((a, b) => (a.date < b.date ? -1 : 1)),
    add,
    forget,
  }
}

/** The swap states of duties, by day. */
export function useStandings(asked: readonly SwapRequest[]): ReadonlyMap<string, SwapState> {
  const unsent = useUnsent(HAND_OVER)
  const standings = new Map<string, SwapState>()
  for (const { body, refusal } of unsent) if (refusal === null) standings.set(wishOf(body).date, 'waiting')
  for (const { date } of asked) standings.set(date, 'asked')
  return standings
}

/** A hand-over's body in the outbox. */
export function wishOf(body: unknown): { date: string; to: string } {
  const { date, to } = (body ?? {}) as { date?: unknown; to?: unknown }
  return { date: day(String(date ?? '')), to: String(to ?? '') }
}

/** Refetches the plan whenever the service reports a change. Returns whether the stream is open. */
export const useLivePlan = ({ userId }: Session, onLoaded: () => void) =>
  useFollow(['plan_update', 'messages_update'], partsOf(userId), onLoaded)

/** Refetches everything. */
export function useReload(userId: string): () => Promise<void> {
  const queries = useQueryClient()
  return () => cancelAndRefetch(queries, partsOf(userId))
}

const partsOf = (userId: string) => ({
  predicate: ({ queryKey: [part, whose] }: { queryKey: readonly unknown[] }) =>
    whose === userId && PARTS.includes(part),
})

/** All colleagues: for offline requests, and in case the availability is unknown. */
export function useColleagues({ userId, companyId }: Session, enabled: boolean): Stored<Candidate[]> {
  return useStored({
    userId,
    key: ['colleagues', userId],
    ask: async signal => {
      const people = await reading('/api/companies/{companyId}/users', { path: { companyId } })(signal)
      return people
        .filter(({ id }) => id !== userId)
        .map(({ id, username }) => ({ id, username, available: true }))
    },
    enabled,
  })
}

/** The people who can take over the duty of a day. */
export function useCandidates({ userId }: Session, date: string) {
  return useQuery({
    queryKey: ['swap-candidates', userId, date],
    queryFn: async ({ signal }): Promise<Candidate[]> => {
      const people = await reading('/api/schedule/swap-candidates', { query: { date } })(signal)
      return people.filter(({ id }) => id !== userId)
    },
    staleTime: 0,
  })
}

export function useHandOver({ userId }: Session) {
  return useQueued<{ date: string; to: string }, SwapRequest>(
    ({ date, to }) => ({
      kind: HAND_OVER,
      path: '/api/schedule/swap-request',
      body: { date, from: userId, to },
    }),
    texts.sendFailed,
  )
}

/** A refused request may have been decided meanwhile. */
export function useWithdraw(userId: string, id: string) {
  const reload = useReload(userId)
  const withdraw = async () =>
    ignoreNotFound(await api.DELETE('/api/schedule/swap-requests/{id}', { params: { path: { id } } }))
  return useAct(() => withdraw().finally(() => void reload()), texts.withdrawFailed)
}

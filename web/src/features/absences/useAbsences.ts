/** The page's queries and mutations. Queries can be read offline; requests wait for the network. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, ignoreNotFound } from '../../api/client'
import { useReachable } from '../../api/connectivity'
import { reading } from '../../api/reading'
import type { components } from '../../api/schema'
import { useQueued } from '../../patterns/sending'
import { type Received, receive, send } from '../../patterns/transfer'
import { useAct } from '../../patterns/useAct'
import { cancelAndRefetch, useFollow } from '../../patterns/useFollow'
import { useStored } from '../../patterns/useStored'
import { useTransfer } from '../../patterns/useTransfer'
import { type Days, isWhole, type Sick, type Wish } from './preview'
import { type Absence, around } from './reports'
import { texts } from './texts'

export type LeaveRequest = components['schemas']['OwnRequestRow']
export type Policy = components['schemas']['OwnPolicyRow']

/** Kinds of requests in the outbox. */
export const VACATION = 'vacation'
export const SICK = 'sick'
export const MESSAGE = 'absence_message'

const PARTS: readonly unknown[] = ['absences', 'vacation-requests', 'vacation-policy', 'vacation-preview']

export function useAbsences(userId: string, month: string) {
  return useStored({
    userId,
    key: ['absences', userId, month],
    ask: reading('/api/users/{userId}/absences', { path: { userId }, query: around(month) }),
  })
}

export function useRequests(userId: string) {
  return useStored({
    userId,
    key: ['vacation-requests', userId],
    ask: reading('/api/vacation-requests/mine', {}),
  })
}

export function usePolicy(userId: string) {
  return useStored({
    userId,
    key: ['vacation-policy', userId],
    ask: reading('/api/vacation-policy/mine', {}),
  })
}

/** Refetches everything. */
export function useReload(userId: string): () => Promise<void> {
  const queries = useQueryClient()
  return () => cancelAndRefetch(queries, partsOf(userId))
}

/** Refetches whenever the service reports a change. */
export const useLiveAbsences = (userId: string) =>
  useFollow(['plan_update', 'messages_update'], partsOf(userId))

const partsOf = (userId: string) => ({
  predicate: ({ queryKey: [part, whose] }: { queryKey: readonly unknown[] }) =>
    whose === userId && PARTS.includes(part),
})

/** How long the user may still be choosing. */
export const PREVIEW_DELAY_MS = 300

/** The preview of a request for leave, fetched once its days have not changed for `PREVIEW_DELAY_MS`. */
export function usePreview(userId: string, { kind, startDate, endDate, startHalf, endHalf }: Days) {
  const reachable = useReachable()
  const now = JSON.stringify({ kind, startDate, endDate, startHalf, endHalf })
  const [settled, settle] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => settle(now), PREVIEW_DELAY_MS)
    return () => clearTimeout(timer)
  }, [now])
  const days: Days = { kind, startDate, endDate, startHalf, endHalf }
  const isComplete = isWhole(days)
  const query = useQuery({
    queryKey: ['vacation-preview', userId, now],
    queryFn: ({ signal }) => reading('/api/vacation-requests/preview', { query: days })(signal),
    enabled: reachable && isComplete && settled === now,
    gcTime: 60_000,
  })
  return { whole: isComplete, reachable, data: query.data, error: query.error }
}

export function useAskForLeave() {
  return useQueued<Wish, unknown>(
    body => ({ kind: VACATION, path: '/api/vacation-requests', body }),
    texts.requestFailed,
  )
}

export function useReportSick() {
  return useQueued<Sick, Absence[]>(body => ({ kind: SICK, path: '/api/absences', body }), texts.reportFailed)
}

const messagePath = (id: string) => `/api/absences/${encodeURIComponent(id)}/message`

export function useSay(id: string) {
  return useQueued<{ message: string }, Absence>(
    body => ({ kind: MESSAGE, path: messagePath(id), body }),
    texts.messageFailed,
  )
}

/** The day of a message in the outbox. */
export const isMessageTo = (path: string, ids: ReadonlySet<string>) =>
  [...ids].some(id => path === messagePath(id))

/** A refused request may have been decided meanwhile. */
export function useWithdraw(userId: string, id: string) {
  const reload = useReload(userId)
  const withdraw = async () =>
    ignoreNotFound(await api.DELETE('/api/vacation-requests/{id}', { params: { path: { id } } }))
  return useAct(() => withdraw().finally(() => void reload()), texts.withdrawFailed)
}

export function useUpload(id: string) {
  return useTransfer<File, { path: unknown }>(async (file, way) => {
    const form = new FormData()
    form.append('file', file)
    return { path: await send(`/api/absences/${encodeURIComponent(id)}/upload-sick-note`, form, way) }
  }, texts.uploadFailed)
}

export function useNote(id: string) {
  return useTransfer<undefined, Received>(
    (_, way) => receive(`/api/absences/${encodeURIComponent(id)}/sick-note`, way),
    texts.viewFailed,
  )
}

/** The user's own undecided corrections, readable offline; creating and withdrawing one. */
import { useQueryClient } from '@tanstack/react-query'
import { api, ignoreNotFound } from '../../../api/client'
import { reading } from '../../../api/reading'
import type { components } from '../../../api/schema'
import { useSession } from '../../../api/session'
import { useQueued } from '../../../patterns/sending'
import { useAct } from '../../../patterns/useAct'
import { useFollow } from '../../../patterns/useFollow'
import { useStored } from '../../../patterns/useStored'
import { timesKey } from '../useMonth'
import { texts } from './texts'

export type Correction = components['schemas']['CorrectionRow']

/** The form's body, and the outbox's. */
export interface CorrectionWish {
  date: string
  newStart: string | null
  newEnd: string | null
  reason: string | null
  entryId: string | null
  /** The person, if an administrator makes the correction: it is their own otherwise. */
  userId?: string
}

/** Whether corrections take effect at once, without a decision: an administrator's own. */
export const useAdministers = () => useSession()?.role === 'companyAdmin'

export const KIND = 'correction'

const correctionsKey = (userId: string) => ['corrections', userId] as const

export function useCorrections(userId: string) {
  useFollow(['times_update', 'plan_update', 'messages_update'], { queryKey: correctionsKey(userId) })
  return useStored({
    userId,
    key: correctionsKey(userId),
    ask: reading('/api/time-corrections/mine', { query: { status: 'pending' } }),
  })
}

export const useAsk = (failed: string) =>
  useQueued<CorrectionWish>(body => ({ kind: KIND, path: '/api/time-corrections', body }), failed)

export function useWithdraw(userId: string, id: string) {
  const queries = useQueryClient()
  return useAct(async () => {
    ignoreNotFound(await api.DELETE('/api/time-corrections/{id}', { params: { path: { id } } }))
    void queries.invalidateQueries({ queryKey: correctionsKey(userId) })
    return true
  }, texts.withdrawFailed)
}

export function useDeleteEntry(userId: string, id: string) {
  const queries = useQueryClient()
  return useAct(async () => {
    ignoreNotFound(await api.DELETE('/api/work-times/{id}', { params: { path: { id } } }))
    void queries.invalidateQueries({ queryKey: timesKey(userId) })
    return true
  }, texts.deleteFailed)
}

/** Companies' questions, and the operator's answers. */
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { useChange } from '../../patterns/useChange'
import { useFollow } from '../../patterns/useFollow'
import { keyOf } from '../../patterns/useGet'
import { usePages } from '../../patterns/usePages'
import { type Status, texts } from './texts'

type Schemas = components['schemas']
export type OpenQuestion = Schemas['OwnSupportMessage']
export type Received = Schemas['SupportMessageRow']

const ALL = '/api/support/messages'
const OWN_MESSAGES = '/api/companies/{id}/support/messages'
const READS = [keyOf(ALL), keyOf(OWN_MESSAGES)]

export function useOwn(companyId: string) {
  useFollow(['support_update'], { queryKey: keyOf(OWN_MESSAGES) })
  return usePages(OWN_MESSAGES, { path: { id: companyId }, query: { limit: 50 } })
}

export function useInbox(status: Status | 'all') {
  useFollow(['support_update'], { queryKey: keyOf(ALL) })
  return usePages(ALL, { query: { status, withLogs: true, logsLimit: 100, limit: 50 } })
}

export const useSend = () =>
  useChange(
    async (body: Schemas['NewSupportMessage']) => dataOf(await api.POST(ALL, { body })),
    texts.sendFailed,
    READS,
  )

export const useReply = (id: string) =>
  useChange(
    async (body: Schemas['NewReply']) =>
      dataOf(await api.POST('/api/support/messages/{id}/replies', { params: { path: { id } }, body })),
    texts.replyFailed,
    READS,
  )

export const useStatus = (id: string) =>
  useChange(
    async (status: Status) =>
      dataOf(await api.PUT('/api/support/messages/{id}', { params: { path: { id } }, body: { status } })),
    texts.statusFailed,
    READS,
  )

/** The inbox: unread messages, newest first. It can be read and marked as read offline. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api, dataOf } from '../../api/client'
import { isGone, sentenceOf } from '../../api/failures'
import type { Unsent } from '../../offline/db'
import { send, takeBack, useUnsent } from '../../patterns/sending'
import { succeed } from '../../patterns/succeed'
import { texts as patternTexts } from '../../patterns/texts'
import { useFollow } from '../../patterns/useFollow'
import { amend, type Stored, useStored } from '../../patterns/useStored'
import type { Failure } from '../../ui/Notice'
import type { Message } from './message'
import { texts } from './texts'

/** The page size. */
export const STEP = 50
/** The service's limit. */
export const MOST_MESSAGES = 500
/** The kind of read marks in the outbox. */
const READ = 'read'

const messagesKey = (userId: string) => ['messages', userId] as const

interface Kept {
  messages: Message[]
  /** Whether there are older ones. */
  more: boolean
}

export interface Inbox {
  view: Stored<Kept>
  /** Without those marked as read here. */
  messages: readonly Message[]
  /** Loads older messages; null at the end, or at the limit. */
  loadMore: (() => void) | null
  /** Marks them as read. */
  read: (ids: readonly string[]) => void
  failure: Failure | null
}

export function useInbox(userId: string): Inbox {
  const limit = useRef(STEP)
  const view = useStored({
    userId,
    key: messagesKey(userId),
    ask: async (signal): Promise<Kept> => {
      const params = { query: { limit: limit.current } }
      const answer = await api.GET('/api/messages', { params, signal })
      const hasMore = /rel="?next"?/.test(answer.response.headers.get('Link') ?? '')
      return { messages: dataOf(answer), more: hasMore }
    },
  })
  useFollow(['messages_update', 'plan_update'], { queryKey: messagesKey(userId) })
  const { hidden, read, failure } = useRead(userId)
  const messages = useMemo(
    () => (view.data?.messages ?? []).filter(({ id }) => !hidden.has(id)).sort(newestFirst),
    [view.data, hidden],
  )
  const loadMore = () => {
    limit.current = Math.min(limit.current + STEP, MOST_MESSAGES)
    void view.refetch()
  }
  const able = view.data?.more === true && view.data.messages.length < MOST_MESSAGES
  return { view, messages, loadMore: able ? loadMore : null, read, failure }
}

const newestFirst = (a: Message, b: Message) => b.createdAt.localeCompare(a.createdAt)

/** Marks as read: they are hidden at once, and return after a failure. */
function useRead(userId: string) {
  const queries = useQueryClient()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(NO_IDS)
  const [failure, setFailure] = useState<Failure | null>(null)
  const unsent = useUnsent(READ)
  const hide = (ids: readonly string[]) => setHidden(previous => new Set([...previous, ...ids]))
  const show = useCallback(
    (ids: readonly string[]) => setHidden(previous => new Set([...previous].filter(id => !ids.includes(id)))),
    [],
  )

  // Includes unsent marks of earlier visits, so that sent ones do not reappear for a moment.
  const waiting = unsent.filter(({ refusal }) => refusal === null).flatMap(idsOf)
  if (waiting.some(id => !hidden.has(id))) hide(waiting)

  // Refused after the network came back: the message stays unread. A deleted message is no failure.
  const refused = unsent.find(({ refusal }) => refusal !== null)
  useEffect(() => {
    if (refused === undefined) return
    const { status = 0, sentence = '' } = refused.refusal ?? {}
    if (status !== NOT_FOUND) {
      show(idsOf(refused))
      setFailure({ title: texts.readFailed, detail: sentence })
    }
    void takeBack(refused)
  }, [refused, show])

  const read = async (ids: readonly string[]) => {
    setFailure(null)
    hide(ids)
    try {
      const outcome = await send({ kind: READ, path: pathOf(ids), body: { ids } })
      if (outcome.state === 'queued') return succeed(patternTexts.queued)
      await amend<Kept>(queries, messagesKey(userId), kept => ({
        ...kept,
        messages: kept.messages.filter(({ id }) => !ids.includes(id)),
      }))
    } catch (error) {
      if (isGone(error)) return
      show(ids)
      setFailure({ title: texts.readFailed, detail: sentenceOf(error, texts.readFailed) })
    }
  }
  return { hidden, read: (ids: readonly string[]) => void read(ids), failure }
}

const NO_IDS: ReadonlySet<string> = new Set()
const NOT_FOUND = 404

const idsOf = ({ body }: Unsent): readonly string[] => (body as { ids?: readonly string[] } | null)?.ids ?? []

/** A single message has its own endpoint. */
function pathOf(ids: readonly string[]): string {
  const [only = ''] = ids
  return ids.length === 1 ? `/api/messages/${encodeURIComponent(only)}/read` : '/api/messages/read'
}

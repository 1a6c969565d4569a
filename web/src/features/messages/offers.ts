/**
 * The hand-overs that wait for one's own answer, which can be read offline, and how many they are: in the menu and, where
 * the browser can, at the app's icon. Every menu has this: it is to stay small.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, dataOf } from '../../api/client'
import { useLive } from '../../api/live'
import type { components } from '../../api/schema'
import type { Session } from '../../api/session'
import { type Stored, useStored } from '../../patterns/useStored'

export type Offer = components['schemas']['OfferedRow']

export const offersKey = (userId: string) => ['offers', userId] as const

export function useOffers(userId: string): Stored<Offer[]> {
  return useStored({
    userId,
    key: offersKey(userId),
    ask: async (signal): Promise<Offer[]> => dataOf(await api.GET('/api/schedule/swap-requests', { signal })),
  })
}

export function useOfferCount({ userId }: Session): number {
  const queries = useQueryClient()
  const count = useOffers(userId).data?.length
  useLive(['messages_update', 'plan_update'], () => void askAnew(queries, offersKey(userId)))
  useEffect(() => {
    if (count !== undefined) void navigator.setAppBadge?.(count).catch(() => undefined)
  }, [count])
  return count ?? 0
}

/** Also where an answer is under way: it may be of before. */
export async function askAnew(queries: QueryClient, queryKey: readonly string[]): Promise<void> {
  await queries.cancelQueries({ queryKey })
  await queries.invalidateQueries({ queryKey })
}

/**
 * The hand-overs that wait for the user's answer, readable offline, and their number: in the menu and, where the
 * browser supports it, at the app's icon. Every menu loads this module, so it must stay small.
 */
import { useEffect } from 'react'
import { reading } from '../../api/reading'
import type { components } from '../../api/schema'
import type { Session } from '../../api/session'
import { useFollow } from '../../patterns/useFollow'
import { type Stored, useStored } from '../../patterns/useStored'

export type Offer = components['schemas']['OfferedRow']

export const offersKey = (userId: string) => ['offers', userId] as const

export function useOffers(userId: string): Stored<Offer[]> {
  return useStored({
    userId,
    key: offersKey(userId),
    ask: reading('/api/schedule/swap-requests', {}),
  })
}

export function useOfferCount({ userId }: Session): number {
  const count = useOffers(userId).data?.length
  useFollow(['messages_update', 'plan_update'], { queryKey: offersKey(userId) })
  useEffect(() => {
    if (count !== undefined) void navigator.setAppBadge?.(count).catch(() => undefined)
  }, [count])
  return count ?? 0
}

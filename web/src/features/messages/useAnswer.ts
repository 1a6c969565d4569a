/** Taking a duty over, or not. It needs the service there and then: nothing of it is kept for later. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../../api/client'
import { type Acting, useAct } from '../../patterns/useAct'
import { amend } from '../../patterns/useStored'
import { type Offer, offersKey } from './offers'
import { texts } from './texts'

/** So long after an answer, what it has changed elsewhere is asked for. */
export const RELOAD_MS = 250

export interface Answer {
  offer: Offer
  accept: boolean
}

type Answering = Pick<Acting<Answer, true>, 'run' | 'busy' | 'reset'> & {
  /** What went wrong, as the one sentence for it. */
  failure: string | null
  /** Whose answer is under way, or has failed. */
  about: string | null
}

export function useAnswer(userId: string): Answering {
  const queries = useQueryClient()
  const [about, setAbout] = useState<string | null>(null)
  const { run, busy, failure, reset } = useAct(async ({ offer, accept }: Answer): Promise<true> => {
    setAbout(offer.id)
    try {
      const offerParams = { params: { path: { id: offer.id } } }
      dataOf(
        accept
          ? await api.POST('/api/schedule/swap-requests/{id}/accept', offerParams)
          : await api.POST('/api/schedule/swap-requests/{id}/decline', offerParams),
      )
      await amend<Offer[]>(queries, offersKey(userId), offers => offers.filter(({ id }) => id !== offer.id))
      return true
    } finally {
      // What was refused may be answered, withdrawn or void by now: the list is asked for then as well.
      setTimeout(() => void queries.invalidateQueries(), RELOAD_MS)
    }
  }, texts.answerFailedAnyhow)
  return { run, busy, reset, about, failure: sentenceOf(failure) }
}

/** Of what may have happened all the same nobody says that it has failed: that sentence stands alone. */
function sentenceOf(failure: { title: string; detail: string } | null): string | null {
  if (failure === null) return null
  return failure.title === failure.detail ? failure.detail : texts.answerFailed(failure.detail)
}

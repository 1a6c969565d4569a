/** Accepts or declines a duty. It needs the service immediately: answers are never queued. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../../api/client'
import { type Acting, useAct } from '../../patterns/useAct'
import { amend } from '../../patterns/useStored'
import { type Offer, offersKey } from './offers'
import { texts } from './texts'

/** The delay after an answer before refetching its effects. */
export const RELOAD_MS = 250

export interface Answer {
  offer: Offer
  accept: boolean
}

type Answering = Pick<Acting<Answer, true>, 'run' | 'busy' | 'reset'> & {
  /** The error, as a single sentence. */
  failure: string | null
  /** The offer whose answer is in flight, or has failed. */
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
      // A refused offer may be answered, withdrawn or void meanwhile: the list is refetched in this case, too.
      setTimeout(() => void queries.invalidateQueries(), RELOAD_MS)
    }
  }, texts.answerFailedAnyhow)
  return { run, busy, reset, about, failure: sentenceOf(failure) }
}

/** An answer that may have taken effect is not reported as failed: its sentence is shown without a title. */
function sentenceOf(failure: { title: string; detail: string } | null): string | null {
  if (failure === null) return null
  return failure.title === failure.detail ? failure.detail : texts.answerFailed(failure.detail)
}

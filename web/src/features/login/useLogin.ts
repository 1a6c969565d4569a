/**
 * Drives the steps: makes the calls, hands on the session, and sends by itself what is due.
 *
 * The state is kept in a ref as well, so that a second press in the same moment already sees the first; what is due
 * follows its answer and no effect, so it goes out once however often effects run.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Session } from '../../api/session'
import { type Answer, sendCode } from './calls'
import { advance, type Event, type Request, START, type State } from './steps'

type Call = (ticket: string, signal: AbortSignal) => Promise<Answer>

export interface Login {
  state: State
  /** Makes a call, unless one is in flight. */
  ask: (request: Request, call: Call) => void
  /** Takes another way in the same step. */
  change: () => void
  back: () => void
}

export function useLogin(onDone: (session: Session) => void): Login {
  const [state, show] = useState(START)
  const present = useRef(START)
  const inFlight = useRef<AbortController | null>(null)
  useEffect(() => () => inFlight.current?.abort(), [])

  const become = useCallback((event: Event) => {
    present.current = advance(present.current, event)
    show(present.current)
    return present.current
  }, [])

  const ask = useCallback(
    async (request: Request, call: Call) => {
      const stateBefore = present.current
      if (become({ type: 'ask', request }) === stateBefore) return
      const aborter = new AbortController()
      inFlight.current = aborter
      const answer = await call(stateBefore.ticket ?? '', aborter.signal)
      // Closed or gone back meanwhile: whatever the service said, nobody asks for it any more.
      if (aborter.signal.aborted) return
      inFlight.current = null
      if (answer.kind === 'done') return onDone(answer.session)
      if (become({ type: 'answer', outcome: answer }).due) await ask('send', sendAgain)
    },
    [become, onDone],
  )

  const change = useCallback(() => void become({ type: 'change' }), [become])

  const back = useCallback(() => {
    inFlight.current?.abort()
    inFlight.current = null
    become({ type: 'back' })
  }, [become])

  return { state, ask, change, back }
}

export const sendAgain: Call = (ticket, signal) => sendCode(ticket, null, signal)

/**
 * Runs the steps: makes the calls, hands over the session, and sends automatic requests.
 *
 * The state is also in a ref, so that a second press at the same moment sees the first; automatic requests follow their
 * answer instead of an effect, so each is sent once however often effects run.
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
  /** Switches to another action of the same step. */
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
      // Closed or gone back meanwhile: the answer is obsolete.
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

/** The connection to the clock's agent: its stream of views, and the touchscreen's commands. */
import { useEffect, useState } from 'react'
import type { Direction, View } from './view'

/** How long a lost stream is ignored: the agent is back within a second or two. */
export const PATIENCE_MS = 3_000

/** After this long a restart is no explanation: the clock needs attention. */
export const SILENCE_MS = 20_000

/** Interval of the page's heartbeats. */
export const SIGN_MS = 5_000

export interface Heard {
  view: View | null
  /** The agent's time minus the browser's, in milliseconds, when the view was sent. */
  ahead: number
  lost: boolean
  /** Whether it has been lost long enough to count as out of order. */
  silent: boolean
}

/** The offset from the page's monotonic clock to the agent's; null before the agent's first message. */
let offset: number | null = null

export function useAgent(): Heard {
  const [heard, setHeard] = useState<Heard>({ view: null, ahead: 0, lost: false, silent: false })
  useEffect(() => {
    let timers: ReturnType<typeof setTimeout>[] = []
    const wait = () => {
      if (timers.length > 0) return
      timers = [
        setTimeout(() => setHeard(previous => ({ ...previous, lost: true })), PATIENCE_MS),
        setTimeout(() => setHeard(previous => ({ ...previous, silent: true })), SILENCE_MS),
      ]
    }
    const stopTimers = () => {
      for (const timer of timers) clearTimeout(timer)
      timers = []
    }
    // The browser reconnects automatically, at the agent's interval.
    const source = new EventSource('/events')
    source.onmessage = message => {
      stopTimers()
      const view = JSON.parse(message.data) as View
      offset = view.moment === undefined ? null : view.moment - performance.now()
      const ahead = view.now === undefined ? 0 : Date.parse(view.now) - Date.now()
      setHeard({ view, ahead, lost: false, silent: false })
    }
    source.onerror = wait
    wait()
    const signs = setInterval(() => {
      if (source.readyState === EventSource.OPEN) showLife()
    }, SIGN_MS)
    return () => {
      clearInterval(signs)
      stopTimers()
      source.close()
    }
  }, [])
  return heard
}

/** Registers under the page name from the kiosk, which restarts the browser without this heartbeat. */
function showLife() {
  const page = new URLSearchParams(window.location.search).get('page')
  if (page === null) return
  fetch('/alive', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ page }),
    signal: AbortSignal.timeout(SIGN_MS),
  }).catch(() => undefined)
}

/** Whether the agent accepted it. The agent receives the time of the press, which counts however late it arrives. */
async function post(path: string, press: object): Promise<boolean> {
  const body = offset === null ? press : { ...press, at: Math.round(performance.now() + offset) }
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return answer.ok
  } catch {
    return false
  }
}

/** `after` is the view's: a choice applies to the next person after the shown one. */
export const choose = (direction: Direction | null, after: string | undefined) =>
  post('/choice', { direction, after })
export const answerDirection = (stampId: string, direction: Direction) =>
  post('/answer', { stampId, direction })
export const answerGone = (stampId: string, newEnd: string) => post('/answer', { stampId, newEnd })
/** The reminders of the person shown with this stamp; null: no longer available. */
export const adopt = (stampId: string | null) => post('/adopt', { stampId })
/** Unassigns one of this clock's scanners. */
export const forget = (serial: string) => post('/forget', { serial })
export const dismiss = (key: string) => post('/dismiss', { key })

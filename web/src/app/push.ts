/**
 * The app's background work for web push: it registers this browser's subscription in each session, and opens the
 * messages after a press of a notification. The code is fetched only if the browser has a subscription.
 */
import { pushed } from '../api/pushed'
import { currentSession, subscribe as onSession } from '../api/session'

/** Call once; returns the stop function. */
export function keepPush(): () => void {
  let reportedToken: string | null = null
  const tell = () => {
    const session = currentSession()
    if (session === null || session.token === reportedToken || pushed()?.userId !== session.userId) return
    reportedToken = session.token
    void import('../api/push')
      .then(({ renew }) => renew())
      .catch(() => {
        // The next start, or the next session, tries again.
      })
  }
  const changed = (event: MessageEvent) => {
    if (event.data?.type !== 'PUSH_CHANGED') return
    reportedToken = null
    tell()
  }
  const workers = typeof navigator === 'undefined' ? undefined : navigator.serviceWorker
  workers?.addEventListener('message', changed)
  const stop = onSession(tell)
  tell()
  return () => {
    workers?.removeEventListener('message', changed)
    stop()
  }
}

/** Calls back when a notification is pressed while the app is open. Returns the stop function. */
export function onNoticePressed(lead: () => void): () => void {
  const heard = (event: MessageEvent) => {
    if (event.data?.type === 'MESSAGES') lead()
  }
  const workers = typeof navigator === 'undefined' ? undefined : navigator.serviceWorker
  workers?.addEventListener('message', heard)
  return () => workers?.removeEventListener('message', heard)
}

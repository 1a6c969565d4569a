/** Deletes the device's stored data at a logout, and when another user logs in. */
import { markPushed, pushed } from '../api/pushed'
import { currentEnding, currentSession, type Ending, subscribe as onSession } from '../api/session'

/**
 * Deletes the stored data of all users, or of all but one, and ends their web push. Loaded on demand: the pages before
 * the login need no database.
 */
export async function wipeDevice(but?: string): Promise<void> {
  const taker = pushed()?.userId
  if (taker !== undefined && taker !== but) {
    markPushed(null)
    void import('../api/push').then(({ drop }) => drop()).catch(() => undefined)
  }
  const [{ wipe }, { discard }] = await Promise.all([
    import('../offline/snapshots'),
    import('../offline/outbox'),
  ])
  await wipe(but)
  await discard(but).catch(() => {
    // Nothing could be stored either.
  })
}

/** Returns the stop function. */
export function tieDevice(): () => void {
  return onUser(now => {
    if (now === null) clearAppBadge()
    // A user whose session has expired finds their data after the next login, above all their unsent requests. Other
    // users do not see it, and a deliberate logout leaves nothing.
    if (now !== null) void wipeDevice(now)
    else if (!isToBeContinued(currentEnding())) void wipeDevice()
  })
}

/** Calls back when the user changes or logs out; a renewed session is no change. */
export function onUser(tell: (userId: string | null) => void): () => void {
  let user = currentSession()?.userId ?? null
  return onSession(() => {
    const now = currentSession()?.userId ?? null
    if (now === user) return
    user = now
    tell(now)
  })
}

/** No request waits for a logged-out user; the user's own page reports what waits for them. */
function clearAppBadge() {
  void navigator.clearAppBadge?.().catch(() => undefined)
}

/** Whether the last user has not ended their session deliberately on this device. */
const isToBeContinued = (ending: Ending | null) => ending === 'expired' || ending === 'everywhere'

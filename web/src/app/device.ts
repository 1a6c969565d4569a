/** What the device keeps goes with a logout, and when somebody else logs in. */
import { markPushed, pushed } from '../api/pushed'
import { currentEnding, currentSession, type Ending, subscribe as onSession } from '../api/session'

/**
 * Forgets what the device keeps of everybody, or of everybody but one, and takes no more push for them. Loaded only now:
 * the pages before the login have no use for a database.
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

/** Returns how to stop. */
export function tieDevice(): () => void {
  return onUser(now => {
    if (now === null) clearAppBadge()
    // Whose session has run out finds what was theirs after the next login, what they have not sent above all; nobody
    // else does, and whoever goes on purpose leaves nothing.
    if (now !== null) void wipeDevice(now)
    else if (!isToBeContinued(currentEnding())) void wipeDevice()
  })
}

/** Tells when another user is logged in than before, or nobody any more; a session that is only renewed is no news. */
export function onUser(tell: (userId: string | null) => void): () => void {
  let user = currentSession()?.userId ?? null
  return onSession(() => {
    const now = currentSession()?.userId ?? null
    if (now === user) return
    user = now
    tell(now)
  })
}

/** Of who is logged out, nothing waits; what does at somebody's is said by their page. */
function clearAppBadge() {
  void navigator.clearAppBadge?.().catch(() => undefined)
}

/** Whether who was logged in has not said that they are done on this device. */
const isToBeContinued = (ending: Ending | null) => ending === 'expired' || ending === 'everywhere'

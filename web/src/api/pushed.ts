/**
 * The user of this browser's web push, if any: known at once and without its code (`push.ts`), because every start of
 * the app, and every logout, needs it.
 */
const MARK = 'push'

export interface Pushed {
  userId: string
  /** The service's id of the subscription. */
  id: string
  /** The subscription's key: the service's public key. */
  key: string
}

export function pushed(): Pushed | null {
  try {
    const mark = JSON.parse(localStorage.getItem(MARK) ?? 'null') as Pushed | null
    return typeof mark?.userId === 'string' ? mark : null
  } catch {
    return null
  }
}

export function markPushed(next: Pushed | null) {
  try {
    if (next === null) localStorage.removeItem(MARK)
    else localStorage.setItem(MARK, JSON.stringify(next))
  } catch {
    // A browser that forbids storage also supports no push.
  }
}

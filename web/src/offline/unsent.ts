/**
 * Of whom this device has unsent things, and how many: known at once and without a database, because the way out and the
 * way in ask for it. `outbox.ts` keeps the marks true.
 */
const MARK = 'unsent/'

export interface UnsentCount {
  userId: string
  username: string
  count: number
}

export function unsentCounts(): UnsentCount[] {
  try {
    return Object.keys(localStorage)
      .filter(key => key.startsWith(MARK))
      .map(key => ({ userId: key.slice(MARK.length), ...JSON.parse(localStorage.getItem(key) ?? '{}') }))
      .filter(({ count }) => count > 0)
  } catch {
    return []
  }
}

export function unsentOf(userId: string): number {
  return unsentCounts().find(one => one.userId === userId)?.count ?? 0
}

export function mark({ userId, username, count }: UnsentCount) {
  try {
    if (count === 0) localStorage.removeItem(MARK + userId)
    else localStorage.setItem(MARK + userId, JSON.stringify({ username, count }))
  } catch {
    // A browser that forbids storage keeps no outbox either.
  }
}

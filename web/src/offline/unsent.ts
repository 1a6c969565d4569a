/**
 * The numbers of unsent requests by user: known at once and without a database, because login and logout need them.
 * `outbox.ts` keeps them up to date.
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
  return unsentCounts().find(count => count.userId === userId)?.count ?? 0
}

export function mark({ userId, username, count }: UnsentCount) {
  try {
    if (count === 0) localStorage.removeItem(MARK + userId)
    else localStorage.setItem(MARK + userId, JSON.stringify({ username, count }))
  } catch {
    // A browser that forbids storage keeps no outbox either.
  }
}

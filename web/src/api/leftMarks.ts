/**
 * The marks of ended sessions (`endedSessions.ts`): known at once and without that code, because every start needs
 * them.
 */
export const LEFT_MARK_PREFIX = 'left/'

/** The storage keys of those marks. Throws where a browser forbids storage. */
export const leftMarks = () => Object.keys(localStorage).filter(key => key.startsWith(LEFT_MARK_PREFIX))

/** Whether a mark existed when the page was opened. */
export function isMarked(): boolean {
  try {
    return leftMarks().length > 0
  } catch {
    return false
  }
}

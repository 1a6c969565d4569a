/** Where sessions that were left are marked (`left.ts`): known at once and without its code, because every start asks. */
export const LEFT_MARK_PREFIX = 'left/'

/** The places of those marks in the local storage. Throws where a browser forbids storage. */
export const leftMarks = () => Object.keys(localStorage).filter(key => key.startsWith(LEFT_MARK_PREFIX))

/** Whether one was there when the page was opened. */
export function isMarked(): boolean {
  try {
    return leftMarks().length > 0
  } catch {
    return false
  }
}

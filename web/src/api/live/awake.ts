/** Whether the page may be in use: it is visible, or was hidden less than a minute ago. */
const HIDDEN_MS = 60_000

/** Calls `tell` at each change. Returns the stop function. */
export function watchAwake(tell: (awake: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const sleep = () => tell(false)
  const look = () => {
    if (document.visibilityState === 'hidden') {
      timer ??= setTimeout(sleep, HIDDEN_MS)
      return
    }
    clearTimeout(timer)
    timer = undefined
    tell(true)
  }
  document.addEventListener('visibilitychange', look)
  // A page in the back/forward cache must not hold a connection.
  window.addEventListener('pagehide', sleep)
  window.addEventListener('pageshow', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('pagehide', sleep)
    window.removeEventListener('pageshow', look)
    clearTimeout(timer)
  }
}

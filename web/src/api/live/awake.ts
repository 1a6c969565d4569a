/** Whether the page may be in use: it is visible, or was hidden less than a minute ago. */
const HIDDEN_MS = 60_000

/** Tells it from now on, at each change at the latest. Returns how to stop. */
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
  // A page that the browser sets aside, to show it again as it was, must hold nothing meanwhile.
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

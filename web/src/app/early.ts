/** What happened before the app was there (`public/early.js`). */
declare global {
  interface Window {
    early?: { pressed: HTMLButtonElement | null; end: () => void }
  }
}

/** The app stands: the page shows itself, and what was pressed too early is pressed now. */
export function takeOver() {
  delete document.documentElement.dataset.own
  const { early } = window
  if (early === undefined) return
  early.end()
  const { pressed } = early
  early.pressed = null
  if (pressed?.isConnected) pressed.click()
}

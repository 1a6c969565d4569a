/** What happened before the app was there: the script in `index.html` kept it. */
declare global {
  interface Window {
    early?: { pressed: HTMLButtonElement | null; note: (event: MouseEvent) => void }
  }
}

/** The app stands: the page shows itself, and what was pressed too early is pressed now. */
export function takeOver() {
  delete document.documentElement.dataset.own
  const { early } = window
  if (early === undefined) return
  window.removeEventListener('click', early.note, true)
  const { pressed } = early
  early.pressed = null
  pressed?.removeAttribute('data-pressed')
  if (pressed?.isConnected) pressed.click()
}

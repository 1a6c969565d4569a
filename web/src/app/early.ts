/** Events from before the app was loaded: the script in `index.html` recorded them. */
declare global {
  interface Window {
    early?: { pressed: HTMLButtonElement | null; note: (event: MouseEvent) => void }
  }
}

/** The app is rendered: shows the page, and replays an early press. */
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

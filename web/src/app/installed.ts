/** Whether this browser has the app already: its worker serves this page, or it was opened from the home screen. */
export function hasApp(): boolean {
  return (
    window.matchMedia('(display-mode: standalone)').matches || Boolean(navigator.serviceWorker?.controller)
  )
}

/*
 * Runs before anything is painted, and long before the app does. A page that the service wrote is there before its code
 * is: who is logged in does not see the landing page for a moment, and what a visitor presses meanwhile is not lost.
 */
;(() => {
  const page = document.documentElement
  try {
    if (location.pathname === '/' && localStorage.getItem('token') !== null) page.dataset.own = ''
  } catch {
    // A browser that forbids storage keeps no session either.
  }
  const note = event => {
    early.pressed = event.target.closest('button')
  }
  const early = { pressed: null, end: () => removeEventListener('click', note, true) }
  window.early = early
  addEventListener('click', note, true)
})()

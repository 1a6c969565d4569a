/** The app's entry: providers around the routes. */
import '../ui/font.css'
import '../ui/tokens.css'
import '../ui/base.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { watchNetwork } from '../api/connectivity'
import { isMarked } from '../api/leftMarks'
import { currentSession, followOtherTabs } from '../api/session'
import { HOME_ZONE } from '../ui/days'
import { App } from './App'
import { publicPageAt } from './public/pages'
import { layOutSite, siteInside } from './public/site'
import { prepareArea } from './routes'

followOtherTabs()
watchNetwork()
if (isMarked()) void import('./signOut').then(({ keepFinishing }) => keepFinishing())

const session = currentSession()
if (session !== null) {
  prepareArea(session)
  // The browser's first formatter is slow to create: this happens while the pages are fetched and nothing can be
  // pressed. In its own task, since the work before it is long enough.
  setTimeout(() => Intl.DateTimeFormat('de-DE', { timeZone: HOME_ZONE }).format())
}

const root = document.getElementById('root')
if (root !== null) void begin(root)

/**
 * Hydrates the page that the service rendered, as soon as its code is loaded; logged-in users on another page do not
 * see it.
 */
async function begin(root: HTMLElement) {
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  )
  layOutSite(siteInside(document))
  const publicPage = root.hasChildNodes() ? publicPageAt(window.location.pathname) : undefined
  const isOwnHome = session !== null && publicPage?.path === '/'
  if (publicPage !== undefined && !isOwnHome) await publicPage.Content.come().catch(() => undefined)
  // A transition, so that a slow phone still reacts to touch.
  startTransition(() => {
    if (publicPage !== undefined && !isOwnHome) return void hydrateRoot(root, app)
    root.replaceChildren()
    createRoot(root).render(app)
  })
}

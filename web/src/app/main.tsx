/** The app's entry: providers around the routes. */
import '../ui/font.css'
import '../ui/tokens.css'
import '../ui/base.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { watchNetwork } from '../api/connectivity'
import { isMarked } from '../api/leftMarks'
import { currentSession, followOtherTabs } from '../api/session'
import { HOME_ZONE } from '../ui/days'
import { App } from './App'
import { prepareArea } from './routes'

followOtherTabs()
watchNetwork()
if (isMarked()) void import('./signOut').then(({ keepFinishing }) => keepFinishing())

const session = currentSession()
if (session !== null) {
  prepareArea(session)
  // A browser takes its time for its first formatter: while the pages are fetched nobody can press anything yet.
  Intl.DateTimeFormat('de-DE', { timeZone: HOME_ZONE }).format()
}

const root = document.getElementById('root')
if (root !== null) {
  // In small pieces of work, between which a slow phone answers to a finger.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}

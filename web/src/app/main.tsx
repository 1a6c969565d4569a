/** The app's entry: providers around the routes. */
import '../ui/font.css'
import '../ui/tokens.css'
import '../ui/base.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { watchNetwork } from '../api/connectivity'
import { currentSession, followOtherTabs } from '../api/session'
import { App } from './App'
import { prepareArea } from './routes'
import { finishSignOuts } from './signOut'

followOtherTabs()
watchNetwork()
finishSignOuts()

const session = currentSession()
if (session !== null) prepareArea(session)

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

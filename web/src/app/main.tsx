/** The app's entry: providers around the routes. */
import '../ui/font.css'
import '../ui/tokens.css'
import '../ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchNetwork } from '../api/connectivity'
import { followOtherTabs } from '../api/session'
import { App } from './App'
import { finishSignOuts } from './signOut'

followOtherTabs()
watchNetwork()
finishSignOuts()

const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

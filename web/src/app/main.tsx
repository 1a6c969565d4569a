/** The app's entry: providers around the routes. */
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
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

/** The touchscreen's entry. */
import '../ui/font.css'
import '../ui/tokens.css'
import '../ui/base.css'
import './kiosk.css'
import { createRoot } from 'react-dom/client'
import { useAgent } from './agent'
import { Kiosk } from './Kiosk'

function Page() {
  return <Kiosk {...useAgent()} />
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<Page />)

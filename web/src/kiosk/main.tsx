/** The touchscreen's entry. */
import '../ui/font.css'
import '../ui/tokens.css'
import '../ui/base.css'
import './kiosk.css'
import { createRoot } from 'react-dom/client'
import { useAgent } from './agent'
import { Kiosk } from './Kiosk'
import { useNewest } from './newest'

function Page() {
  const heard = useAgent()
  useNewest(heard.view)
  return <Kiosk {...heard} />
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<Page />)

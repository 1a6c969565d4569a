/** The app: its routes, with a blockable history, and their shared providers. */
import { type ComponentType, useEffect, useState } from 'react'
import { UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'
import { tieDevice } from './device'
import { takeOver } from './early'
import { Broken } from './frame/Broken'
import { BlockableHistory } from './frame/blockableHistory'
import { Routed } from './frame/Routed'
import { hasApp, useAppWanted } from './installed'
import { routes } from './routes'

export function App() {
  const [history] = useState(() => new BlockableHistory(createBrowserHistory({ v5Compat: true })))
  useEffect(tieDevice, [])
  useEffect(takeOver, [])
  return (
    <Broken>
      <Routed routes={routes} history={history} />
      <Updates />
    </Broken>
  )
}

/** Where a worker exists, or will exist. */
function Updates() {
  const [Prompt, setPrompt] = useState<ComponentType | null>(null)
  const isAppWanted = useAppWanted()
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    if (!isAppWanted && !hasApp()) return
    import('./UpdatePrompt').then(
      ({ UpdatePrompt }) => setPrompt(() => UpdatePrompt),
      () => {
        // Out of reach: the next visit loads it.
      },
    )
  }, [isAppWanted])
  return Prompt === null ? null : <Prompt />
}

/** The app: its routes, under a history that can be held on a page, and what all of them share. */
import { useEffect, useState } from 'react'
import { UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'
import { tieDevice } from './device'
import { takeOver } from './early'
import { Broken } from './frame/Broken'
import { Holdable } from './frame/holdable'
import { Routed } from './frame/Routed'
import { routes } from './routes'
import { UpdatePrompt } from './UpdatePrompt'

export function App() {
  const [history] = useState(() => new Holdable(createBrowserHistory({ v5Compat: true })))
  useEffect(tieDevice, [])
  useEffect(takeOver, [])
  return (
    <Broken>
      <Routed routes={routes} history={history} />
      <UpdatePrompt />
    </Broken>
  )
}

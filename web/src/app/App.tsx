/** The app: its routes, under a history that can be held on a page, and what all of them share. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'
import { keepSending } from '../patterns/sending'
import { Broken } from './frame/Broken'
import { Holdable } from './frame/holdable'
import { Routed } from './frame/Routed'
import { keepPush } from './push'
import { tieToSession } from './queries'
import { routes } from './routes'
import { UpdatePrompt } from './UpdatePrompt'

export function App({ queries }: { queries: QueryClient }) {
  const [history] = useState(() => new Holdable(createBrowserHistory({ v5Compat: true })))
  useEffect(() => tieToSession(queries), [queries])
  useEffect(() => keepSending(() => void queries.invalidateQueries()), [queries])
  useEffect(() => keepPush(), [])
  return (
    <Broken>
      <QueryClientProvider client={queries}>
        <Routed routes={routes} history={history} />
        <UpdatePrompt />
      </QueryClientProvider>
    </Broken>
  )
}

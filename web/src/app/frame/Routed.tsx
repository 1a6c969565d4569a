/** Routes with a blockable history: unsaved input is asked about before leaving. */
import { useEffect, useSyncExternalStore } from 'react'
import { unstable_HistoryRouter as HistoryRouter, type RouteObject } from 'react-router'
import { useSession } from '../../api/session'
import { fetched, withMantine } from '../../patterns/fetched'
import type { BlockableHistory } from './blockableHistory'
import { Pages } from './Pages'

const Discard = fetched(
  withMantine(async () => (await import('../../patterns/Discard')).Discard),
  null,
)

export function Routed({ routes, history }: { routes: RouteObject[]; history: BlockableHistory }) {
  const waiting = useSyncExternalStore(
    history.subscribe,
    () => history.waiting,
    () => null,
  )
  const session = useSession()
  // A session that ends meanwhile closes the question.
  useEffect(() => {
    if (session === null) history.stay()
  }, [session, history])
  return (
    <HistoryRouter history={history}>
      <Pages routes={routes} />
      {waiting !== null && <Discard onStay={history.stay} onLeave={history.leave} />}
    </HistoryRouter>
  )
}

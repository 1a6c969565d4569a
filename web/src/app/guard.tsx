/** The route guard: who may see an area. It protects nothing by itself: every call is judged by the service. */
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useEnding, useSession } from '../api/session'
import { type Area, areaOf, ownPlace } from './areas'

export function Guard({ area, children }: { area: Area; children: ReactNode }) {
  const session = useSession()
  const ending = useEnding()
  const location = useLocation()
  if (session === null) {
    // Who logged out on purpose does not want to come back to the same page.
    const state = ending === 'logout' || ending === 'everywhere' ? null : { from: location }
    return <Navigate to="/" replace state={state} />
  }
  const ownArea = areaOf(session.role)
  return ownArea === area ? children : <Navigate to={ownPlace(session.role, location)} replace />
}

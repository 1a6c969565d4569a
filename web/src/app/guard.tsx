/** The route guard: which roles see an area. It is no protection: the service checks every call. */
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useEnding, useSession } from '../api/session'
import { type Area, areaOf, ownPlace } from './areas'

export function Guard({ area, children }: { area: Area; children: ReactNode }) {
  const session = useSession()
  const ending = useEnding()
  const location = useLocation()
  if (session === null) {
    // A deliberate logout does not return to the same page.
    const state = ending === 'logout' || ending === 'everywhere' ? null : { from: location }
    return <Navigate to="/" replace state={state} />
  }
  const ownArea = areaOf(session.role)
  return ownArea === area ? children : <Navigate to={ownPlace(session.role, location)} replace />
}

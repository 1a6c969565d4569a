/** Logging out: the service is told if it can be reached; here everything goes in any case. */
import { useNavigate } from 'react-router'
import { api } from '../api/client'
import { currentSession, end } from '../api/session'

export function useSignOut(): () => void {
  const navigate = useNavigate()
  return () => {
    signOut()
    navigate('/')
  }
}

function signOut() {
  const session = currentSession()
  if (session === null) return
  // The token goes along explicitly: by the time the call is made, the session is over.
  api
    .POST('/api/logout', { headers: { Authorization: `Bearer ${session.token}` }, keepalive: true })
    .catch(() => {
      // Out of reach: the token ends by itself after two hours.
    })
  end('logout')
}

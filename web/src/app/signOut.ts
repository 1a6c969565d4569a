/** Logging out: here everything goes at once, with a network or without; the service is told as soon as it can be. */
import { useNavigate } from 'react-router'
import { isUnfinished, keepTelling, leave, tell } from '../api/left'
import { currentSession, end } from '../api/session'
import { wipeDevice } from './queries'

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
  leave(session.token)
  end('logout')
  void tell()
}

/** Brings to its end what a page that was closed at once, or without a network, has left. Returns how to stop. */
export function finishSignOuts(): () => void {
  if (currentSession() === null && isUnfinished()) void wipeDevice()
  return keepTelling()
}

/**
 * Logging out: local data is deleted at once, online or offline; the service is informed as soon as possible. The user
 * is asked first if this device has unsent requests, and so is a user who logs in after another one.
 */
import { useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { hasUnreported, keepReporting, markEnded, reportEnded } from '../api/endedSessions'
import { currentSession, end } from '../api/session'
import { unsentOf } from '../offline/unsent'
import { wipeDevice } from './device'

let asking = false
const listeners = new Set<() => void>()

function ask(next: boolean) {
  asking = next
  for (const listener of listeners) listener()
}

/** Whether the logout needs a confirmation. */
export function useAsking(): boolean {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asking,
  )
}

/** Logs out, or asks first. */
export function useSignOut(): () => void {
  const go = useSignOutNow()
  return () => {
    if (unsentOf(currentSession()?.userId ?? '') > 0) ask(true)
    else go()
  }
}

export const stayIn = () => ask(false)

/** Logs out, even with unsent requests. */
export function useSignOutNow(): () => void {
  const navigate = useNavigate()
  return () => {
    ask(false)
    signOut()
    navigate('/')
  }
}

function signOut() {
  const session = currentSession()
  if (session === null) return
  markEnded(session.token)
  end('logout')
  void reportEnded()
}

let finishing = false

/** Runs `finishSignOuts` once, for the lifetime of the page. */
export function keepFinishing() {
  if (finishing) return
  finishing = true
  finishSignOuts()
}

/** Completes logouts of pages that were closed at once, or offline. Returns the stop function. */
export function finishSignOuts(): () => void {
  if (currentSession() === null && hasUnreported()) void wipeDevice()
  return keepReporting()
}

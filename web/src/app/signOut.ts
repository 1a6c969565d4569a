/**
 * Logging out: here everything goes at once, with a network or without; the service is told as soon as it can be. Who has
 * something unsent on this device is asked first, and so is who logs in where somebody else has.
 */
import { useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { isUnfinished, keepTelling, leave, tell } from '../api/endedSessions'
import { currentSession, end } from '../api/session'
import { unsentOf } from '../offline/unsent'
import { wipeDevice } from './device'

let asking = false
const listeners = new Set<() => void>()

function ask(next: boolean) {
  asking = next
  for (const listener of listeners) listener()
}

/** Whether somebody who wants to log out has still to be asked. */
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

/** Logs out, whatever was not sent. */
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
  leave(session.token)
  end('logout')
  void tell()
}

let finishing = false

/** `finishSignOuts`, once and for as long as the page lives. */
export function keepFinishing() {
  if (finishing) return
  finishing = true
  finishSignOuts()
}

/** Brings to its end what a page that was closed at once, or without a network, has left. Returns how to stop. */
export function finishSignOuts(): () => void {
  if (currentSession() === null && isUnfinished()) void wipeDevice()
  return keepTelling()
}

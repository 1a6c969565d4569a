/**
 * The session: five parts in the browser's local storage, restored only if all five exist, and a mark of works council
 * members.
 *
 * It stores the parts and notifies its listeners; it does not call the service or clear any other storage.
 */
import { useSyncExternalStore } from 'react'

const PARTS = ['token', 'role', 'username', 'companyId', 'userId'] as const

const COUNCIL = 'worksCouncil'

export type Session = Readonly<Record<(typeof PARTS)[number], string> & { [COUNCIL]?: true }>

/** Why the last session ended: by the user, here or on all devices; by the service's 401; or in another tab. */
export type Ending = 'logout' | 'everywhere' | 'expired' | 'elsewhere'

interface State {
  session: Session | null
  ending: Ending | null
}

type Listener = () => void

/** The five parts, if `parts` has all of them, each a non-empty string. */
export function complete(parts: Readonly<Record<string, unknown>>): Session | null {
  const entries = PARTS.map(name => [name, parts[name]] as const)
  if (!entries.every(([, value]) => typeof value === 'string' && value !== '')) return null
  const five = Object.fromEntries(entries) as Session
  return parts[COUNCIL] ? { ...five, [COUNCIL]: true } : five
}

function stored(): Session | null {
  try {
    return complete(Object.fromEntries([...PARTS, COUNCIL].map(name => [name, localStorage.getItem(name)])))
  } catch {
    return null // A browser that forbids storage: the session lives as long as the page.
  }
}

let state: State = { session: stored(), ending: null }
const listeners = new Set<Listener>()

function become(next: State) {
  state = next
  for (const listener of listeners) listener()
}

export function currentSession(): Session | null {
  return state.session
}

export function currentEnding(): Ending | null {
  return state.ending
}

export function begin(session: Session) {
  try {
    for (const name of PARTS) localStorage.setItem(name, session[name])
    if (session[COUNCIL]) localStorage.setItem(COUNCIL, 'true')
    else localStorage.removeItem(COUNCIL)
  } catch {
    // Full or forbidden storage: the user is logged in until the page is closed.
  }
  become({ session, ending: null })
}

export function end(ending: Ending) {
  if (state.session === null) return
  forget()
  become({ session: null, ending })
}

/** The reason for the end of the last session has been shown, and is not shown again. */
export function forgetEnding() {
  if (state.ending !== null) become({ ...state, ending: null })
}

function forget() {
  try {
    for (const name of [...PARTS, COUNCIL]) localStorage.removeItem(name)
  } catch {
    // Nothing was stored either.
  }
}

export function subscribe(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Follows logins and logouts of other tabs. Call once; returns the stop function. */
export function followOtherTabs(): () => void {
  const follow = (event: StorageEvent) => {
    if (event.storageArea !== localStorage) return
    const storedSession = stored()
    if (storedSession === null && state.session !== null) become({ session: null, ending: 'elsewhere' })
    else if (storedSession !== null && storedSession.token !== state.session?.token)
      become({ session: storedSession, ending: null })
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}

/** A page rendered at build time has no session. */
const noSession = () => null

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, () => state.session, noSession)
}

export function useEnding(): Ending | null {
  return useSyncExternalStore(subscribe, () => state.ending, noSession)
}

/** Reloads the session from the storage, like a reloaded page. */
export function reload() {
  become({ session: stored(), ending: null })
}

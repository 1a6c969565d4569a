/**
 * What public pages say of this installation: who runs it, and whether their forms reach anybody. A page that comes from
 * the service has it inside, so that it reads without another call and without JavaScript; the app's own shell, which may
 * be older than the operator's last change, asks for it.
 */
import { useEffect, useSyncExternalStore } from 'react'

export interface Given {
  text: string
  /** Whether it stands for what only the operator can know, and has not said yet. */
  sample: boolean
}

export const OPERATOR_FACTS = [
  'name',
  'represented',
  'street',
  'city',
  'country',
  'email',
  'phone',
  'phoneUri',
  'register',
  'vatId',
  'host',
  'authority',
  'privacyEmail',
] as const

export interface Site {
  /** Of the installation's address, without a slash at its end. */
  origin: string
  today: string
  todayText: string
  /** Whether what is sent by the public forms reaches anybody. */
  inquiries: boolean
  /** Whether the operator has given all of it. */
  complete: boolean
  operator: Readonly<Record<(typeof OPERATOR_FACTS)[number], Given>>
}

let knownSite: Site | null = null
let isRequested = false
const listeners = new Set<() => void>()

/** Lays out what is known, such as what the page brought with it. */
export function layOutSite(site: Site | null) {
  knownSite = site
  isRequested = false
  for (const listener of listeners) listener()
}

/** What the page brought with it, if it did. */
export function siteInside(page: Document): Site | null {
  const inside = page.getElementById('site')?.textContent
  return inside ? (JSON.parse(inside) as Site) : null
}

/** Null while nobody knows. */
export function useSite(): Site | null {
  const site = useSyncExternalStore(subscribe, read, read)
  useEffect(() => {
    if (site === null) void ask()
  }, [site])
  return site
}

async function ask() {
  if (isRequested) return
  isRequested = true
  try {
    const answer = await fetch('/api/site')
    if (answer.ok) layOutSite((await answer.json()) as Site)
    else isRequested = false
  } catch {
    isRequested = false // Out of reach: the page stands without it, and asks again when it is opened again.
  }
}

const read = () => knownSite

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

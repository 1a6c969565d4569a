/**
 * Facts about this installation on public pages: its operator, and whether their forms are delivered. A page from the
 * service contains them, so that it needs no further call and no JavaScript; the app's own shell, which may be older
 * than the operator's last change, fetches them.
 */
import { useEffect, useSyncExternalStore } from 'react'

export interface Given {
  text: string
  /** Whether it is a sample for a fact that the operator has not given yet. */
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
  /** The installation's address, without a trailing slash. */
  origin: string
  today: string
  todayText: string
  /** Whether the public forms are delivered. */
  inquiries: boolean
  /** Whether the operator has given all facts. */
  complete: boolean
  operator: Readonly<Record<(typeof OPERATOR_FACTS)[number], Given>>
}

let knownSite: Site | null = null
let isRequested = false
const listeners = new Set<() => void>()

/** Publishes known facts, such as those in the page. */
export function layOutSite(site: Site | null) {
  knownSite = site
  isRequested = false
  for (const listener of listeners) listener()
}

/** The facts contained in the page, if any. */
export function siteInside(page: Document): Site | null {
  const inside = page.getElementById('site')?.textContent
  return inside ? (JSON.parse(inside) as Site) : null
}

/** Null until known. */
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
    isRequested = false // Out of reach: the page works without it, and the next visit asks again.
  }
}

const read = () => knownSite

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

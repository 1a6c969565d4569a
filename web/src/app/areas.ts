/** Maps roles to areas. An unknown role counts as employee. */
import type { Location } from 'react-router'
import type { Session } from '../api/session'
import { texts } from './texts'

export type Area = '/dashboard' | '/company-dashboard' | '/admin'

const MESSAGES = 'my_messages'

export function areaOf(role: string): Area {
  if (role === 'admin') return '/admin'
  if (role === 'companyAdmin') return '/company-dashboard'
  return '/dashboard'
}

export function areaName(area: Area): string {
  return {
    '/dashboard': texts.dashboard,
    '/company-dashboard': texts.companyDashboard,
    '/admin': texts.adminPanel,
  }[area]
}

/** The account page, in the area of a role. */
export function accountOf(role: string): string {
  const area = areaOf(role)
  return `${area}?tab=${area === '/admin' ? 'account' : 'login'}`
}

/** The page of the user's messages, in the area of a role; null for system administrators. */
export function messagesOf(role: string): string {
  const area = areaOf(role)
  return area === '/admin' ? area : `${area}?tab=${area === '/dashboard' ? MESSAGES : 'messages'}`
}

/** The redirect for a page of another area: a notification links to the messages without knowing the user's role. */
export function ownPlace(role: string, { search }: Pick<Location, 'search'>): string {
  return new URLSearchParams(search).get('tab') === MESSAGES ? messagesOf(role) : areaOf(role)
}

/** The target of a login: the requested page, if it is in the role's area, else the area. */
export function destination(session: Session, state: unknown): string {
  const area = areaOf(session.role)
  const from = askedFor(state)
  if (from === null) return area
  return from.pathname === area ? `${from.pathname}${from.search}${from.hash}` : ownPlace(session.role, from)
}

/** The page that the route guard rejected, from the location's state. */
export function askedFor(state: unknown): Pick<Location, 'pathname' | 'search' | 'hash'> | null {
  if (typeof state !== 'object' || state === null || !('from' in state)) return null
  const { from } = state
  return typeof from === 'object' && from !== null && 'pathname' in from ? (from as Location) : null
}

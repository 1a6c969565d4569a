/**
 * Web push to this browser, for one person: the browser subscribes with its push service, and the service is told where.
 * What comes says nothing (`sw.ts`). It ends with the logout: here at once, on the service with the session.
 *
 * The session that named a subscription last is the one whose end ends it, so it is named anew by each session.
 */
import { api, dataOf, goneWith } from './client'
import { markPushed, pushed } from './pushed'

/** `home_screen`: this browser takes push only once the app has been put there. */
export type Ability = 'able' | 'home_screen' | 'unable'

/** What came of asking: `closed`: nobody has answered the browser's question; `failed`: its push service does not answer. */
export type Outcome = 'on' | 'denied' | 'closed' | 'failed'

export function ability(): Ability {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'able'
  return isApple() ? 'home_screen' : 'unable'
}

/** An iPad says that it is a Mac; no Mac can be touched. */
function isApple(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/** Whether whoever is asked has said no; the browser asks no second time. */
export const isDenied = () => ability() === 'able' && Notification.permission === 'denied'

/** Whether this browser takes push for them now. */
export async function isOn(userId: string): Promise<boolean> {
  if (pushed()?.userId !== userId || ability() !== 'able' || Notification.permission !== 'granted')
    return false
  return (await subscription()) !== null
}

/** To be called by a press: browsers ask for the permission only then. */
export async function turnOn(userId: string, key: string): Promise<Outcome> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'closed'
  const found = await subscribe(key).catch(() => null)
  if (found === null) return 'failed'
  await name(found, userId, key)
  return 'on'
}

/** Here, and on the service. */
export async function turnOff(): Promise<void> {
  const known = pushed()
  if (known !== null) {
    goneWith(await api.DELETE('/api/push/subscriptions/{id}', { params: { path: { id: known.id } } }))
  }
  markPushed(null)
  await drop()
}

/** Here alone: the service hears of it by the end of the session, or when it finds nobody there. */
export async function drop(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await worker?.getNotifications?.()) ?? []) shown.close()
  await (await subscription())?.unsubscribe()
}

/** Names to the service, in the present session, what this browser is subscribed to; what it has lost it gets anew. */
export async function renew(): Promise<void> {
  const known = pushed()
  if (known === null) return
  const allowed = ability() === 'able' && Notification.permission === 'granted'
  const found = allowed ? await subscribe(known.key).catch(() => null) : null
  if (found === null) markPushed(null)
  else await name(found, known.userId, known.key)
}

async function subscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker?.getRegistration()
  return (await worker?.pushManager?.getSubscription()) ?? null
}

/** The subscription to that key: the one that there is, or a new one. */
async function subscribe(key: string): Promise<PushSubscription | null> {
  if ((await navigator.serviceWorker.getRegistration()) === undefined) return null
  const { pushManager } = await navigator.serviceWorker.ready
  const bytes = bytesOf(key)
  const before = await pushManager.getSubscription()
  const same = before?.options?.applicationServerKey
  if (before !== null && (same == null || isSame(new Uint8Array(same), bytes))) return before
  await before?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes })
}

async function name(found: PushSubscription, userId: string, key: string) {
  const { endpoint, keys } = found.toJSON()
  const body = {
    endpoint: endpoint ?? found.endpoint,
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
  }
  const { id } = dataOf(await api.POST('/api/push/subscriptions', { body }))
  markPushed({ userId, id, key })
}

/** Out of base64url. */
function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, letter => letter.charCodeAt(0))
}

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

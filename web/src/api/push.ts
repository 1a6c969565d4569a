/**
 * Web push to this browser, for one person: the browser subscribes with its push service, and the service is told where.
 * What comes says nothing (`sw.ts`). It ends with the logout: here at once, on the service with the session.
 *
 * The session that named a subscription last is the one whose end ends it, so it is named anew by each session.
 */
import { api, dataOf, ignoreNotFound } from './client'
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

/** Whether this browser takes push for them now, from the service with this key. */
export async function isOn(userId: string, key: string): Promise<boolean> {
  if (pushed()?.userId !== userId || !isAllowed()) return false
  const existing = await subscription()
  return existing !== null && isFor(existing, bytesOf(key))
}

const isAllowed = () => ability() === 'able' && Notification.permission === 'granted'

/** To be called by a press: browsers ask for the permission only then. */
export async function turnOn(userId: string, key: string): Promise<Outcome> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'closed'
  await renewing?.catch(() => undefined)
  const subscribed = await subscribe(key).catch(() => null)
  if (subscribed === null) return 'failed'
  await name(subscribed, userId, key)
  return 'on'
}

/** Here, and on the service. */
export async function turnOff(): Promise<void> {
  const mark = pushed()
  if (mark !== null) {
    ignoreNotFound(await api.DELETE('/api/push/subscriptions/{id}', { params: { path: { id: mark.id } } }))
  }
  markPushed(null)
  await drop()
}

/** Here alone: the service hears of it by the end of the session, or when it finds nobody there. */
export async function drop(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration()
  for (const notification of (await worker?.getNotifications?.()) ?? []) notification.close()
  await (await subscription())?.unsubscribe()
}

let renewing: Promise<void> | null = null

/**
 * Names to the service, in the present session, what this browser is subscribed to. It subscribes anew where the browser
 * has lost that, the service has another key, or does not hold it any more: its push service may have ended it.
 */
export function renew(): Promise<void> {
  renewing ??= compare().finally(() => {
    renewing = null
  })
  return renewing
}

async function compare() {
  const mark = pushed()
  if (mark === null) return
  if (!isAllowed()) return turnOff()
  const { publicKey, subscriptions } = dataOf(await api.GET('/api/notifications'))
  if (!subscriptions.some(({ id }) => id === mark.id)) await (await subscription())?.unsubscribe()
  const subscribed = await subscribe(publicKey).catch(() => null)
  // Otherwise the push service cannot be reached: the next start tries again.
  if (subscribed !== null) await name(subscribed, mark.userId, publicKey)
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
  const existing = await pushManager.getSubscription()
  if (existing !== null && isFor(existing, bytes)) return existing
  await existing?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes })
}

async function name(found: PushSubscription, userId: string, key: string) {
  const { endpoint, keys } = found.toJSON()
  const body = {
    endpoint: endpoint ?? found.endpoint,
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
  }
  const mark = pushed()
  const { id } = dataOf(await api.POST('/api/push/subscriptions', { body }))
  markPushed({ userId, id, key })
  if (mark === null || mark.userId !== userId || mark.id === id) return
  ignoreNotFound(await api.DELETE('/api/push/subscriptions/{id}', { params: { path: { id: mark.id } } }))
}

/** Whether it takes what is signed with that key; a browser that does not say so is believed. */
function isFor({ options }: PushSubscription, key: Uint8Array): boolean {
  const subscribedKey = options?.applicationServerKey
  return subscribedKey == null || isSame(new Uint8Array(subscribedKey), key)
}

/** Out of base64url. */
function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, letter => letter.charCodeAt(0))
}

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

/**
 * Web push to this browser, for one user: the browser subscribes with its push service, and the address goes to the
 * service. Notifications have no content (`sw.ts`). The logout ends it: here at once, on the service with the session.
 *
 * A subscription ends with the session that registered it last, so each session registers it again.
 */
import { api, dataOf, ignoreNotFound } from './client'
import { markPushed, pushed } from './pushed'

/** `home_screen`: this browser supports push only after the app has been added to the home screen. */
export type Ability = 'able' | 'home_screen' | 'unable'

/**
 * The outcome of asking: `closed`: the user dismissed the browser's question; `failed`: its push service does not
 * answer.
 */
export type Outcome = 'on' | 'denied' | 'closed' | 'failed'

export function ability(): Ability {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'able'
  return isApple() ? 'home_screen' : 'unable'
}

/** An iPad identifies as a Mac; Macs have no touchscreen. */
function isApple(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/** Whether the user has refused; the browser does not ask again. */
export const isDenied = () => ability() === 'able' && Notification.permission === 'denied'

/** Whether this browser receives push for the user, from the service with this key. */
export async function isOn(userId: string, key: string): Promise<boolean> {
  if (pushed()?.userId !== userId || !isAllowed()) return false
  const existing = await subscription()
  return existing !== null && isFor(existing, bytesOf(key))
}

const isAllowed = () => ability() === 'able' && Notification.permission === 'granted'

/** Call it on a press: browsers only then ask for the permission. */
export async function turnOn(userId: string, key: string): Promise<Outcome> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'closed'
  await renewing?.catch(() => undefined)
  const subscribed = await subscribe(key).catch(() => null)
  if (subscribed === null) return 'failed'
  await name(subscribed, userId, key)
  return 'on'
}

/** Unsubscribes here and on the service. */
export async function turnOff(): Promise<void> {
  const mark = pushed()
  if (mark !== null) {
    ignoreNotFound(await api.DELETE('/api/push/subscriptions/{id}', { params: { path: { id: mark.id } } }))
  }
  markPushed(null)
  await drop()
}

/** Ends it only here: the service learns of it when the session ends, or when a delivery fails. */
export async function drop(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration()
  for (const notification of (await worker?.getNotifications?.()) ?? []) notification.close()
  await (await subscription())?.unsubscribe()
}

let renewing: Promise<void> | null = null

/**
 * Registers this browser's subscription with the service, in the present session. Subscribes again if the browser has
 * lost the subscription, the service has another key, or no longer has it: its push service may have ended it.
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
  // Otherwise the push service is unreachable: the next start tries again.
  if (subscribed !== null) await name(subscribed, mark.userId, publicKey)
}

async function subscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker?.getRegistration()
  return (await worker?.pushManager?.getSubscription()) ?? null
}

/** Returns the existing subscription to that key, or a new one. */
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

/** Whether it accepts messages signed with that key; assumed of a browser that does not expose the key. */
function isFor({ options }: PushSubscription, key: Uint8Array): boolean {
  const subscribedKey = options?.applicationServerKey
  return subscribedKey == null || isSame(new Uint8Array(subscribedKey), key)
}

/** Decodes base64url. */
function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, letter => letter.charCodeAt(0))
}

const isSame = (a: Uint8Array, b: Uint8Array) =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

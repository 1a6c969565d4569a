/**
 * Requests that must not get lost: each is written to the device, sent, and deleted once the service has answered.
 * Without a network, or if the answer is lost, it stays and is sent again with the same key, so that it takes effect
 * once; the page shows it meanwhile (`Unsent`). A refused request stays as well, with its sentence, until the user has
 * seen it. A device that cannot store, or not in time, only sends; it reports that, and also when the browser has lost
 * stored requests.
 *
 * One tab sends at a time, in the order of creation, and only for the logged-in user.
 */
import { useMemo, useSyncExternalStore } from 'react'
import { post } from '../api/client'
import { isReachable, subscribe as onConnectivity } from '../api/connectivity'
import { Refused, sentenceOf, Unanswered, Unreachable } from '../api/failures'
import { currentSession, subscribe as onSession, useSession } from '../api/session'
import { wakeToSend } from '../api/wake'
import type { Refusal, Unsent } from '../offline/db'
import { texts } from '../offline/texts'
import { mark, unsentOf } from '../offline/unsent'
import { now } from '../ui/now'
import { type Acting, useAct } from './useAct'

/** A request. `kind` names it for the page that shows it while it waits. */
export interface QueuedRequest {
  kind: string
  path: string
  body: unknown
}

/** `data` is null if another tab has sent it. */
export type Sent<Data> = { state: 'sent'; data: Data | null } | { state: 'queued' }

/** Whether storing is impossible, and how many stored requests the browser has lost. */
export interface Trouble {
  unkept: boolean
  lost: number
}

const LOCK = 'stempelwerk/outbox'
/** As long as the service remembers keys: an older request might take effect twice. */
const KEYS_LIVE_MS = 30 * 24 * 60 * 60 * 1_000
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60_000
const NO_REQUESTS: readonly Unsent[] = []

/** How long the store may take, with its code; the service's answer does not count. */
const STORE_MS = 5_000

const UNAUTHORIZED = 401
const TOO_MANY = 429

let knownUnsent: readonly Unsent[] = NO_REQUESTS
let pause = FIRST_PAUSE_MS
let timer: ReturnType<typeof setTimeout> | null = null
/** The number of active senders: the last one stops the work. */
let senders = 0
/** The time of the latest request. */
let latest = 0
let turn: Promise<unknown> = Promise.resolve()
let trouble: Trouble = { unkept: false, lost: 0 }
const listeners = new Set<() => void>()
const doneListeners = new Set<() => void>()
/** The other tabs. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(LOCK)

// The database's code is fetched when there is a request to store, or a stored one.
const outbox = () => import('../offline/outbox')

/** Sends a request, or queues it; a request refused at once is thrown and not queued. */
export async function send<Data>({ kind, path, body }: QueuedRequest): Promise<Sent<Data>> {
  const session = currentSession()
  if (session === null) throw new Refused(UNAUTHORIZED, null)
  const { userId, username } = session
  const item: Unsent = {
    id: newId(),
    userId,
    username,
    kind,
    path,
    body,
    createdAt: moment(),
    refusal: null,
  }
  const keeping = outbox().then(({ put }) => put(item))
  if (!(await isSoon(keeping))) {
    // A request written late has been sent meanwhile, or its user was informed that it was not.
    void keeping.then(() => takeBack(item)).catch(() => undefined)
    return sendUnkept<Data>(item)
  }
  if (!isReachable()) {
    await changed()
    keepWaiting()
    return { state: 'queued' }
  }
  return withOutboxLock(async () => {
    const { find } = await outbox()
    const still = await find(item.id).catch(() => item)
    if (still === undefined) return { state: 'sent', data: null }
    const outcome = await attempt(still)
    if (outcome.state !== 'refused') return outcome as Sent<Data>
    // A waiting caller gets the error, and the user still sees the input.
    await forget(item)
    await changed()
    throw outcome.error
  })
}

/** Without storage, the answer is all there is. */
async function sendUnkept<Data>({ path, body, id }: Unsent): Promise<Sent<Data>> {
  tell({ ...trouble, unkept: true })
  try {
    return { state: 'sent', data: (await post(path, body, id)) as Data }
  } catch (error) {
    if (!(error instanceof Unreachable) || error instanceof Unanswered) throw error
    throw new Unreachable(error, texts.unreachableAndUnkept)
  }
}

/** Whether it succeeds before the user has waited too long. */
async function isSoon(work: Promise<unknown>): Promise<boolean> {
  const limit = new Promise<false>(resolve => setTimeout(resolve, STORE_MS, false))
  return Promise.race([work.then(() => true).catch(() => false), limit])
}

/** `send` as an act of a page. */
export function useQueued<Input, Data = unknown>(letter: (input: Input) => QueuedRequest, failed: string) {
  return useAct((input: Input) => send<Data>(letter(input)), failed) as Acting<Input, Sent<Data>>
}

/** The user's unconfirmed requests of one kind, oldest first. */
export function useUnsent(kind: string): readonly Unsent[] {
  const userId = useSession()?.userId
  const all = useSyncExternalStore(subscribe, () => knownUnsent)
  return useMemo(() => all.filter(item => item.kind === kind && item.userId === userId), [all, kind, userId])
}

/** Removes a request from the outbox: it is discarded, or returns to its form. */
export async function takeBack(item: Unsent): Promise<void> {
  await withOutboxLock(async () => (await outbox()).remove(item))
  await changed()
}

/** What the logged-in user must know about their stored requests; the second value acknowledges it. */
export function useTrouble(): [Trouble, () => void] {
  return [useSyncExternalStore(subscribe, () => trouble), () => tell({ unkept: false, lost: 0 })]
}

function tell(next: Trouble) {
  trouble = next
  for (const listener of listeners) listener()
}

/**
 * Keeps sending while the app is open. `onSent`: a request has been delivered. Call once; returns the stop function.
 */
export function keepSending(onSent: () => void): () => void {
  let stopped = false
  senders += 1
  const retryNow = () => {
    pause = FIRST_PAUSE_MS
    if (isReachable() && !stopped) void flush()
  }
  const heard = () => void changed(false)
  const woken = (event: MessageEvent) => {
    if (event.data?.type === 'SEND') retryNow()
  }
  doneListeners.add(onSent)
  channel?.addEventListener('message', heard)
  const workers = typeof navigator === 'undefined' ? undefined : navigator.serviceWorker
  workers?.addEventListener('message', woken)
  const stops = [onConnectivity(retryNow), onSession(() => void changed(false).then(retryNow))]
  void changed(false).then(retryNow)
  return () => {
    stopped = true
    senders -= 1
    for (const stop of stops) stop()
    doneListeners.delete(onSent)
    channel?.removeEventListener('message', heard)
    workers?.removeEventListener('message', woken)
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
}

/** Sends everything that waits, in order, until the service is out of reach or asks to wait. */
async function flush(): Promise<void> {
  const userId = currentSession()?.userId
  if (userId === undefined || unsentOf(userId) === 0) return
  await withOutboxLock(async () => {
    const { listOf, refuse } = await outbox()
    const waiting = await listOf(userId)
    noteLost(userId, waiting.length)
    for (const item of waiting) {
      if (currentSession()?.userId !== userId || senders === 0) return
      if (item.refusal !== null) continue
      if (now().getTime() - item.createdAt >= KEYS_LIVE_MS) {
        await refuse(item, { status: 0, code: 'too_old', sentence: texts.tooOld, fields: {} })
        continue
      }
      const outcome = await attempt(item)
      if (outcome.state === 'queued') return
      if (outcome.state === 'refused') await refuse(item, refusalOf(outcome.error))
    }
    // The store does not answer: everything is still there.
  }).catch(() => scheduleFlush(pause))
  await changed()
}

/** No other tab sends or removes meanwhile: requests that are counted but missing were lost by the browser. */
function noteLost(userId: string, found: number) {
  const lost = unsentOf(userId) - found
  if (lost <= 0) return
  mark({ userId, username: currentSession()?.username ?? '', count: found })
  tell({ ...trouble, lost: trouble.lost + lost })
}

/** A request left over here is sent again with the same key, and so takes effect once. */
async function forget(item: Unsent): Promise<void> {
  await outbox()
    .then(({ remove }) => remove(item))
    .catch(() => undefined)
}

/** A request waits: asks the browser to wake the app for it, and not to evict its storage. */
function keepWaiting() {
  wakeToSend()
  void navigator.storage?.persist?.().catch(() => undefined)
}

/** Sends one request, once. A refused one is still in the outbox. */
async function attempt(item: Unsent): Promise<Sent<unknown> | { state: 'refused'; error: unknown }> {
  try {
    const data = await post(item.path, item.body, item.id)
    await forget(item)
    pause = FIRST_PAUSE_MS
    await changed()
    for (const tell of doneListeners) tell()
    return { state: 'sent', data }
  } catch (error) {
    const later = retryDelay(error)
    if (later === null) return { state: 'refused', error }
    scheduleFlush(later)
    await changed()
    return { state: 'queued' }
  }
}

/** Milliseconds until a retry may succeed; null: refused permanently. */
function retryDelay(error: unknown): number | null {
  if (error instanceof Unreachable) {
    keepWaiting()
    return pause
  }
  if (!(error instanceof Refused)) return null
  // The session has ended: it waits for the user's next login.
  if (error.status === UNAUTHORIZED) return LONGEST_PAUSE_MS
  if (error.status < 500 && error.status !== TOO_MANY) return null
  return error.retryAfter === null ? pause : error.retryAfter * 1_000
}

function scheduleFlush(ms: number) {
  pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  if (timer !== null) clearTimeout(timer)
  timer = setTimeout(() => {
    timer = null
    if (isReachable()) void flush()
  }, ms)
}

const refusalOf = (error: unknown): Refusal => ({
  status: error instanceof Refused ? error.status : 0,
  code: error instanceof Refused ? error.code : null,
  sentence: sentenceOf(error, texts.notAccepted),
  fields: error instanceof Refused ? error.fields : {},
})

/** Rereads the waiting requests, and has the other tabs do the same. */
async function changed(tellOthers = true): Promise<void> {
  const userId = currentSession()?.userId
  if (userId === undefined || unsentOf(userId) === 0) knownUnsent = NO_REQUESTS
  else knownUnsent = await (await outbox()).listOf(userId).catch(() => NO_REQUESTS)
  for (const listener of listeners) listener()
  if (tellOthers) channel?.postMessage('changed')
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** While it runs, no other tab sends, and this one does nothing else. */
function withOutboxLock<Result>(work: () => Promise<Result>): Promise<Result> {
  if ('locks' in navigator) return navigator.locks.request(LOCK, work) as Promise<Result>
  // Without locks (no https) another tab may send the same; the service's idempotency keys make it take effect once.
  const ownTurn = turn.then(work, work)
  turn = ownTurn.catch(() => undefined)
  return ownTurn
}

/** Requests are ordered by these; within the same millisecond the value is incremented. */
function moment(): number {
  const present = now().getTime()
  latest = present === Math.floor(latest) ? latest + 0.001 : present
  return latest
}

function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  return bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')
}

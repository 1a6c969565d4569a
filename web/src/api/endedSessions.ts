/**
 * Sessions that ended here without the service knowing yet. Only the SHA-256 of the token and the time are stored: the
 * hash lets the service end the session, and grants no access.
 *
 * Each has its own entry in the local storage, so that no tab overwrites another's. The hash is computed synchronously:
 * the browser's asynchronous digest would not finish while a page closes, and needs https.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { anonymous } from './client'
import { isReachable, subscribe } from './connectivity'
import { LEFT_MARK_PREFIX, leftMarks } from './leftMarks'
import { wakeFor } from './wake'

/** A session's maximum lifetime: afterwards it has expired. */
const LIFE_MS = 2 * 60 * 60 * 1_000
/** The service's limit per call. */
const AT_ONCE = 20
const AGAIN_MS = 60_000
const UNAUTHORIZED = 401

/** Entries if the browser forbids storage: kept until the page closes. */
const unkept = new Map<string, number>()
/** Hashes in a request to the service. */
const underWay = new Set<string>()

/** Stores only what is needed to end the session later. */
export function markEnded(token: string) {
  const hash = bytesToHex(sha256(utf8ToBytes(token)))
  try {
    localStorage.setItem(LEFT_MARK_PREFIX + hash, String(Date.now()))
  } catch {
    unkept.set(hash, Date.now())
  }
}

/** Whether a logout is incomplete, for example because the page was closed at once. */
export function hasUnreported(): boolean {
  return storedMarks().length > 0
}

/** Sends the ended sessions to the service, and deletes their marks after success. */
export async function reportEnded(): Promise<void> {
  const hashes = waiting().slice(0, AT_ONCE)
  if (hashes.length === 0) return
  for (const hash of hashes) underWay.add(hash)
  if (!isReachable()) wakeFor(hashes)
  const isReported = await sendHashes(hashes)
  for (const hash of hashes) underWay.delete(hash)
  if (!isReported) return
  forget(hashes)
  await reportEnded()
}

/** Ends a session that was turned down before its first use. */
export function endSession(token: string): Promise<void> {
  markEnded(token)
  return reportEnded()
}

/** Returns whether the service has received them. The call outlives a closing page. */
async function sendHashes(hashes: string[]): Promise<boolean> {
  try {
    const { response } = await anonymous.POST('/api/logout', { body: { sessions: hashes }, keepalive: true })
    return response.ok || response.status === UNAUTHORIZED
  } catch {
    wakeFor(hashes)
    return false
  }
}

/** Keeps sending while the app is open. Call once; returns the stop function. */
export function keepReporting(): () => void {
  void reportEnded()
  const stop = subscribe(() => {
    if (isReachable()) void reportEnded()
  })
  const timer = setInterval(() => void reportEnded(), AGAIN_MS)
  return () => {
    stop()
    clearInterval(timer)
  }
}

/** The hashes of sessions that may still live and are in no request; expired ones are deleted. */
function waiting(): string[] {
  const now = Date.now()
  const [live, over] = [[] as string[], [] as string[]]
  for (const [hash, at] of storedMarks()) (now - at < LIFE_MS ? live : over).push(hash)
  forget(over)
  return live.filter(hash => !underWay.has(hash))
}

function storedMarks(): [string, number][] {
  try {
    const stored = leftMarks().map((key): [string, number] => [
      key.slice(LEFT_MARK_PREFIX.length),
      Number(localStorage.getItem(key)),
    ])
    return [...stored, ...unkept]
  } catch {
    return [...unkept]
  }
}

function forget(hashes: readonly string[]) {
  for (const hash of hashes) {
    unkept.delete(hash)
    try {
      localStorage.removeItem(LEFT_MARK_PREFIX + hash)
    } catch {
      // Nothing was stored either.
    }
  }
}

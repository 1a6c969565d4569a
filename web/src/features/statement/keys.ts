/**
 * The keys that verify this installation's statements: as currently published, or offline as last published, to this
 * page or to the service worker. They are public, so they stay on the device after a logout.
 */
import { hashes, verify } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { anonymous, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { now } from '../../ui/now'
import { bytesOf } from './base64url'
import type { Bytes, Keys, Verify } from './check'

export type KeyRow = components['schemas']['KeyRow']

export interface Published {
  rows: readonly KeyRow[]
  /** When the installation published them, in milliseconds. */
  savedAt: number
  /** Whether they are current. */
  fresh: boolean
}

const KEYS_STORAGE = 'statement-keys'
const ADDRESS = '/.well-known/stempelwerk-keys.json'

/** Throws `Unreachable` or `Refused` if no keys were ever loaded. */
export async function published(signal: AbortSignal): Promise<Published> {
  try {
    const { keys: rows } = dataOf(await anonymous.GET(ADDRESS, { signal }))
    const fetchedKeys = { rows, savedAt: now().getTime() }
    keep(fetchedKeys)
    return { ...fetchedKeys, fresh: true }
  } catch (cause) {
    const storedKeys = signal.aborted ? null : (recall() ?? (await precached()))
    if (storedKeys === null) throw cause
    return { ...storedKeys, fresh: false }
  }
}

type Kept = Omit<Published, 'fresh'>

function keep(found: Kept) {
  try {
    localStorage.setItem(KEYS_STORAGE, JSON.stringify(found))
  } catch {
    // No room or no permission: then checking needs the network.
  }
}

function recall(): Kept | null {
  try {
    const storedKeys: Partial<Kept> | null = JSON.parse(localStorage.getItem(KEYS_STORAGE) ?? 'null')
    return storedKeys !== null && Array.isArray(storedKeys.rows) && typeof storedKeys.savedAt === 'number'
      ? (storedKeys as Kept)
      : null
  } catch {
    return null
  }
}

/** The keys cached by the service worker at installation: for readers who first open the page offline. */
async function precached(): Promise<Kept | null> {
  try {
    const answer = await caches.match(ADDRESS)
    if (answer === undefined) return null
    const { keys: rows } = (await answer.json()) as { keys: KeyRow[] }
    const savedAt = Date.parse(answer.headers.get('date') ?? '')
    return Array.isArray(rows) && !Number.isNaN(savedAt) ? { rows, savedAt } : null
  } catch {
    return null
  }
}

/** Entries that are no key of 32 bytes are skipped. */
export function keysOf(rows: readonly KeyRow[]): Keys {
  return new Map(
    rows.flatMap(({ kid, alg, publicKey }): [string, Verify][] => {
      const bytes = bytesOf(publicKey)
      return alg === 'Ed25519' && bytes?.length === 32 ? [[kid, verifierOf(bytes)]] : []
    }),
  )
}

/** Verifies with the browser's Ed25519 if available (which needs https), else with our own implementation. */
export function verifierOf(key: Bytes): Verify {
  const native = ownKey(key)
  return async (signature, message) => {
    const nativeKey = await native
    return nativeKey === null
      ? verifyByHand(signature, message, key)
      : crypto.subtle.verify('Ed25519', nativeKey, signature, message)
  }
}

async function ownKey(key: Bytes): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify'])
  } catch {
    return null
  }
}

hashes.sha512 = sha512

export function verifyByHand(signature: Bytes, message: Bytes, key: Bytes): boolean {
  try {
    // As strict as RFC 8032 and browsers.
    return verify(signature, message, key, { zip215: false })
  } catch {
    return false
  }
}

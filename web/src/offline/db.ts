/**
 * The app's storage on the device, in IndexedDB: the last answers, for offline reading, and unsent requests. All of it
 * by user.
 *
 * Answers are copies: the service has the truth. Unsent requests are the truth until the service has them.
 */
import Dexie, { type EntityTable, type Table } from 'dexie'

export interface Snapshot {
  userId: string
  name: string
  savedAt: number
  /** The data's format when it was stored (`SHAPE`). */
  shape?: number
  data: unknown
}

/** A request that the service has not confirmed. */
export interface Unsent {
  /** Also its Idempotency-Key: however often it is sent, it takes effect once. */
  id: string
  userId: string
  /** The user's name, for the next user who logs in on this device. */
  username: string
  /** Its kind, for the page that shows it. */
  kind: string
  /** The POST's path and body. */
  path: string
  body: unknown
  createdAt: number
  /** The service's refusal; it stays until the user has seen it. */
  refusal: Refusal | null
}

export interface Refusal {
  status: number
  code: string | null
  sentence: string
  fields: Readonly<Record<string, string>>
}

class Database extends Dexie {
  snapshots!: Table<Snapshot, [string, string]>
  outbox!: EntityTable<Unsent, 'id'>

  constructor() {
    super('stempelwerk')
    this.version(1).stores({ snapshots: '[userId+name], [userId+savedAt]' })
    this.version(2).stores({ outbox: 'id, userId' })
  }
}

export const db = new Database()

/** The store's time limit. A store that an older tab blocks, or that a browser has lost, never answers. */
const PATIENCE_MS = 5_000

/** Rejects if the store does not answer in time. */
export function timely<Result>(work: PromiseLike<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The store does not answer.')), PATIENCE_MS)
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

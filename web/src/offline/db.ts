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
  /** In which shape the app of that day kept it (`SHAPE`). */
  shape?: number
  data: unknown
}

/** A request that the service has not confirmed. */
export interface Unsent {
  /** Also its Idempotency-Key: however often it is sent, it happens once. */
  id: string
  userId: string
  /** The user's name, for the next user who logs in on this device. */
  username: string
  /** Its kind, for the page that shows it. */
  kind: string
  /** Where it is POSTed, and with what. */
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

/** So long may the store take. One that an older tab holds, or that a browser has lost, never answers. */
const PATIENCE_MS = 5_000

/** Fails where the store does not answer in time. */
export function timely<Result>(work: PromiseLike<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The store does not answer.')), PATIENCE_MS)
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

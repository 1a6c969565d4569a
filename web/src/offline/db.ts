/**
 * What the app remembers for reading without a connection, in IndexedDB: the last answers, by user and name.
 *
 * Only copies of what the service said; nothing here is the truth, and everything goes at logout.
 */
import Dexie, { type EntityTable } from 'dexie'

export interface Snapshot {
  userId: string
  name: string
  savedAt: number
  data: unknown
}

class Database extends Dexie {
  snapshots!: EntityTable<Snapshot>

  constructor() {
    super('stempelwerk')
    this.version(1).stores({ snapshots: '[userId+name], [userId+savedAt]' })
  }
}

export const db = new Database()

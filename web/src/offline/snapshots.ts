/**
 * Stores and reads snapshots. A browser without room or with forbidden storage has no snapshots: offline reading is
 * optional, so these never throw.
 */
import { db, type Snapshot, timely } from './db'

/** The limit of answers per user; the oldest are deleted first. */
export const MOST_SNAPSHOTS = 60
/** Incremented with each release that cannot read older data. */
const SHAPE = 2

export async function keep(userId: string, name: string, data: unknown, savedAt: number): Promise<void> {
  try {
    await db.snapshots.put({ userId, name, savedAt, shape: SHAPE, data })
    const ownSnapshots = db.snapshots.where('[userId+savedAt]').between([userId, 0], [userId, Infinity])
    const spare = (await ownSnapshots.count()) - MOST_SNAPSHOTS
    if (spare > 0) await ownSnapshots.limit(spare).delete()
  } catch {
    // No room or no permission.
  }
}

export async function recall(userId: string, name: string): Promise<Snapshot | null> {
  try {
    const snapshot = await timely(db.snapshots.get([userId, name]))
    return snapshot?.shape === SHAPE ? snapshot : null
  } catch {
    return null
  }
}

/** Deletes the snapshots of all users, or of all but one. */
export async function wipe(but?: string): Promise<void> {
  try {
    await timely<unknown>(
      but === undefined ? db.snapshots.clear() : db.snapshots.filter(({ userId }) => userId !== but).delete(),
    )
  } catch {
    // Nothing could be stored either.
  }
}

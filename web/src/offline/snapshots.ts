/**
 * Keeps and recalls snapshots. A browser that has no room or forbids storage just has none: reading offline is a
 * courtesy, so these never throw.
 */
import { db, type Snapshot } from './db'

/** So many answers are kept for each user; the oldest go first. */
const KEPT = 24

export async function keep(userId: string, name: string, data: unknown, savedAt: number): Promise<void> {
  try {
    await db.snapshots.put({ userId, name, savedAt, data })
    const mine = db.snapshots.where('[userId+savedAt]').between([userId, 0], [userId, Infinity])
    const spare = (await mine.count()) - KEPT
    if (spare > 0) await mine.limit(spare).delete()
  } catch {
    // No room or no permission.
  }
}

export async function recall(userId: string, name: string): Promise<Snapshot | null> {
  try {
    return (await db.snapshots.get([userId, name])) ?? null
  } catch {
    return null
  }
}

/** Forgets everything, whoever's it was. */
export async function wipe(): Promise<void> {
  try {
    await db.snapshots.clear()
  } catch {
    // Nothing could be stored either.
  }
}

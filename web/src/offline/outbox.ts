/**
 * Unsent requests on the device's disk. Unlike snapshots they are essential: a failed write throws, and so does a slow
 * read.
 */
import { db, type Refusal, timely, type Unsent } from './db'
import { mark, unsentCounts } from './unsent'

/** Without a time limit: a late write is still a write. */
export async function put(item: Unsent): Promise<void> {
  await db.outbox.put(item)
  await count(item)
}

/** All of a user's, oldest first. */
export async function listOf(userId: string): Promise<Unsent[]> {
  const requests = await timely(db.outbox.where('userId').equals(userId).toArray())
  return requests.sort((a, b) => a.createdAt - b.createdAt)
}

export async function find(id: string): Promise<Unsent | undefined> {
  return timely(db.outbox.get(id))
}

export async function refuse({ id }: Unsent, refusal: Refusal): Promise<void> {
  await timely(db.outbox.update(id, { refusal }))
}

export async function remove(item: Unsent): Promise<void> {
  await timely(db.outbox.delete(item.id).then(() => count(item)))
}

/** Deletes the unsent requests of all users, or of all but one. */
export async function discard(but?: string): Promise<void> {
  await timely(db.outbox.filter(({ userId }) => userId !== but).delete())
  for (const entry of unsentCounts()) if (entry.userId !== but) mark({ ...entry, count: 0 })
}

async function count({ userId, username }: Unsent) {
  mark({ userId, username, count: await db.outbox.where('userId').equals(userId).count() })
}

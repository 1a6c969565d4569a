import { beforeEach, describe, expect, it, vi } from 'vitest'
import { db } from './db'
import { keep, MOST_SNAPSHOTS, recall, wipe } from './snapshots'

beforeEach(() => wipe())

describe('what was read last', () => {
  it('is there again, with the time at which it was true', async () => {
    await keep('u-1', 'times/2026-11', [1, 2], 1_000)
    await keep('u-1', 'times/2026-11', [3], 2_000)
    expect(await recall('u-1', 'times/2026-11')).toMatchObject({ data: [3], savedAt: 2_000 })
    expect(await recall('u-1', 'times/2026-10')).toBeNull()
  })

  it('is nobody else’s', async () => {
    await keep('u-1', 'times/2026-11', ['mine'], 1)
    expect(await recall('u-2', 'times/2026-11')).toBeNull()
  })

  it('goes at logout, whoever’s it was', async () => {
    await keep('u-1', 'a', 1, 1)
    await keep('u-2', 'a', 1, 1)
    await wipe()
    expect(await db.snapshots.count()).toBe(0)
  })

  it('keeps the newest 60 of a user and all of the others', async () => {
    await keep('u-2', 'old', 0, 0)
    for (let index = 1; index <= MOST_SNAPSHOTS + 6; index += 1) await keep('u-1', `m/${index}`, index, index)
    expect(await recall('u-1', 'm/6')).toBeNull()
    expect((await recall('u-1', 'm/7'))?.data).toBe(7)
    expect((await recall('u-1', `m/${MOST_SNAPSHOTS + 6}`))?.data).toBe(MOST_SNAPSHOTS + 6)
    expect(await recall('u-2', 'old')).not.toBeNull()
  })

  it('goes with who logs in after somebody else, of everybody but them', async () => {
    await keep('u-1', 'a', 1, 1)
    await keep('u-2', 'a', 1, 1)
    await wipe('u-2')
    expect(await recall('u-1', 'a')).toBeNull()
    expect(await recall('u-2', 'a')).not.toBeNull()
  })

  it('is not shown to an app that would not understand it', async () => {
    await keep('u-1', 'a', 1, 1)
    await db.snapshots.update(['u-1', 'a'], { shape: 1 })
    expect(await recall('u-1', 'a')).toBeNull()
  })

  it('is a courtesy: a database that fails costs nothing', async () => {
    vi.spyOn(db.snapshots, 'put').mockRejectedValue(new Error('no room'))
    vi.spyOn(db.snapshots, 'get').mockRejectedValue(new Error('broken'))
    await expect(keep('u-1', 'a', 1, 1)).resolves.toBeUndefined()
    await expect(recall('u-1', 'a')).resolves.toBeNull()
  })
})

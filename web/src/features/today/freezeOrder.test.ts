import { describe, expect, it } from 'vitest'
import { freezeOrder } from './freezeOrder'

const rows = (keys: string) => [...keys].map(key => ({ key }))
const places = (placed: ReturnType<typeof freezeOrder<{ key: string }>>) =>
  placed.map(({ row, gone }) => (gone ? row.key.toUpperCase() : row.key)).join('')
const orderAfter = (before: string, now: string) =>
  places(
    freezeOrder(
      freezeOrder(null, rows(before), ({ key }) => key),
      rows(now),
      ({ key }) => key,
    ),
  )

describe('a list that somebody reads', () => {
  it.each([
    ['abc', 'cba', 'abc'],
    ['abc', 'ac', 'aBc'],
    ['abc', 'xabc', 'abcx'],
    ['abc', '', 'ABC'],
    ['', 'ab', 'ab'],
  ])('of %s moves none when it becomes %s', (before, now, seen) => {
    expect(orderAfter(before, now)).toBe(seen)
  })

  it('stands as it comes when nobody does', () => {
    expect(places(freezeOrder(null, rows('cab'), ({ key }) => key))).toBe('cab')
  })

  it('says of each row what it is now', () => {
    const frozen = freezeOrder(null, [{ key: 'a', since: '08:00' }], ({ key }) => key)
    expect(freezeOrder(frozen, [{ key: 'a', since: '09:00' }], ({ key }) => key)[0]?.row.since).toBe('09:00')
  })
})

import { describe, expect, it } from 'vitest'
import {
  atTheClock,
  connected,
  entriesOf,
  isOver,
  MORNING,
  nowOf,
  tapped,
  timeOf,
  waiting,
  workedOf,
} from './day'

const taps = (count: number, from = MORNING) =>
  Array.from({ length: count }).reduce<typeof MORNING>(day => tapped(day), from)

describe('a day at the clock', () => {
  it('comes, takes a break, comes back and goes', () => {
    expect(entriesOf(taps(1))).toEqual([{ start: 478, end: null }])
    expect(taps(4).stamps.map(({ direction }) => direction)).toEqual(['in', 'out', 'in', 'out'])
    expect(entriesOf(taps(4)).map(({ start, end }) => [timeOf(start), timeOf(end ?? 0)])).toEqual([
      ['07:58', '12:04'],
      ['12:35', '16:31'],
    ])
    expect(workedOf(taps(4))).toBe(482)
    expect(isOver(taps(3))).toBe(false)
    expect(isOver(taps(4))).toBe(true)
  })

  it('counts a tap too many once, and says so', () => {
    const day = taps(5)
    expect(day.answer).toBe('again')
    expect(day.stamps).toHaveLength(4)
    expect(nowOf(day)).toBe(991)
  })

  it('goes on at the clock without a network, and nothing is lost or doubled when it is back', () => {
    const off = taps(2, connected(MORNING, false))
    expect(entriesOf(off)).toEqual([])
    expect(waiting(off)).toBe(2)
    expect(workedOf(atTheClock(off))).toBe(246)
    const back = connected(off, true)
    expect(waiting(back)).toBe(0)
    expect(entriesOf(back)).toEqual([{ start: 478, end: 724 }])
    expect(connected(back, true)).toEqual(back)
  })

  it('loses its network in the middle of an entry: the page knows what had arrived', () => {
    const day = tapped(connected(taps(1), false))
    expect(entriesOf(day)).toEqual([{ start: 478, end: null }])
    expect(entriesOf(connected(day, true))).toEqual([{ start: 478, end: 724 }])
  })
})

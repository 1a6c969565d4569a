import { describe, expect, it } from 'vitest'
import { entry } from '../../../../tests/server'
import { shiftsOf } from '../shifts'
import { boundsOf } from './bounds'
import { concerned, leftOut, timesOf } from './concerned'

const DAY = '2026-11-20'
const entryOf = (date: string, start: string, end: string, minutes: number) =>
  entry(date, start, end, { id: `${date} ${start}`, workedMinutesRaw: minutes, workedMinutesNet: minutes })
const MORNING = entryOf(DAY, '08:00', '12:00', 240)
const AFTERNOON = entryOf(DAY, '12:30', '17:14', 284)
const SHIFT = shiftsOf([MORNING, AFTERNOON])
const TWO = shiftsOf([entryOf(DAY, '05:00', '07:00', 120), entryOf(DAY, '16:00', '20:00', 240)])

describe('the shift that a correction concerns', () => {
  it('is that of its entry, whichever of the shift that is', () => {
    expect(timesOf(concerned(SHIFT, DAY, AFTERNOON.id))).toEqual({ start: '08:00', end: '17:14' })
  })

  it('is the only one of its day', () => {
    expect(timesOf(concerned(SHIFT, DAY, null))).toEqual({ start: '08:00', end: '17:14' })
    expect(timesOf(concerned(SHIFT, '2026-11-21', null))).toEqual({ start: '', end: '' })
  })

  it('is of several the one that the times fill most, and none that they only touch', () => {
    expect(concerned(TWO, DAY, null)).toBeNull()
    expect(concerned(TWO, DAY, null, boundsOf(DAY, '12:00', '17:00'))).toBe(TWO[1])
    expect(concerned(TWO, DAY, null, boundsOf(DAY, '12:00', '16:00'))).toBeNull()
  })

  it('stands on the day on which it began', () => {
    const night = shiftsOf([
      entryOf(DAY, '22:00', '02:00', 240),
      entryOf('2026-11-21', '02:30', '06:00', 210),
    ])
    const concernedShift = concerned(night, '2026-11-21', '2026-11-21 02:30')
    expect([concernedShift?.date, timesOf(concernedShift)]).toEqual([DAY, { start: '22:00', end: '06:00' }])
  })
})

describe('what new times leave out', () => {
  it.each([
    ['08:00', '17:14', []],
    ['07:00', '18:00', []],
    ['08:00', '12:00', [{ start: '12:30', end: '17:14', minutes: 284 }]],
    [
      '08:15',
      '17:00',
      [
        { start: '08:00', end: '08:15', minutes: 15 },
        { start: '17:00', end: '17:14', minutes: 14 },
      ],
    ],
  ])('%s–%s', (start, end, expected) => {
    expect(leftOut(SHIFT[0] ?? null, boundsOf(DAY, start, end))).toEqual(expected)
  })

  it('is nothing while a time is missing, or there is no shift', () => {
    expect(leftOut(SHIFT[0] ?? null, boundsOf(DAY, '08:00', ''))).toEqual([])
    expect(leftOut(null, boundsOf(DAY, '08:00', '12:00'))).toEqual([])
  })

  it('is nothing of an entry that is not whole', () => {
    const [open] = shiftsOf([entry(DAY, '08:00', null, { id: 'e-9' })])
    expect(leftOut(open ?? null, boundsOf(DAY, '09:00', '12:00'))).toEqual([])
  })
})

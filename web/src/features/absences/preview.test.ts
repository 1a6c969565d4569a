import { describe, expect, it } from 'vitest'
import { type Days, excess, isWhole, othersReserved, type Preview, savedHolidays } from './preview'

const daysOf = (startDate: string, endDate: string, more: Partial<Days> = {}): Days => ({
  kind: 'vacation',
  startDate,
  endDate,
  startHalf: false,
  endHalf: false,
  ...more,
})
const preview = (days: number, freeDays: number, ...holidays: [string, string][]): Preview => ({
  days,
  freeDays,
  leftOut: [],
  holidays: holidays.map(([date, name]) => ({ date, name })),
  remainingAfter: 10,
  reservedAfter: days,
  overlaps: false,
  warnings: [],
  years: [],
  around: [],
})
const CHRISTMAS: [string, string][] = [
  ['2026-12-25', '1. Weihnachtstag'],
  ['2026-12-26', '2. Weihnachtstag'],
]
const names = (known: Preview, days: Days) => savedHolidays(known, days).map(({ name }) => name)

describe('the holidays that are saved', () => {
  it('are those on which the person would work', () => {
    // The 26th is a Saturday.
    expect(names(preview(4, 2, ...CHRISTMAS), daysOf('2026-12-23', '2026-12-29'))).toEqual([
      '1. Weihnachtstag',
    ])
  })

  it('are all of them for who works on Saturdays', () => {
    expect(names(preview(4, 1, ...CHRISTMAS), daysOf('2026-12-23', '2026-12-29'))).toHaveLength(2)
  })

  it.each<[number, Partial<Days>]>([
    [3.5, { startHalf: true }],
    [3.5, { endHalf: true }],
    [3, { startHalf: true, endHalf: true }],
  ])('are told apart from half days: %d', (days, halves) => {
    expect(names(preview(days, 2, ...CHRISTMAS), daysOf('2026-12-23', '2026-12-29', halves))).toEqual([
      '1. Weihnachtstag',
    ])
  })

  it('are none on a day that is free anyway, and none of a wish', () => {
    expect(names(preview(1, 1, ['2026-10-03', 'Einheit']), daysOf('2026-10-02', '2026-10-03'))).toEqual([])
    const wish = daysOf('2026-12-23', '2026-12-29', { kind: 'wish' })
    expect(names(preview(0, 2, ...CHRISTMAS), wish)).toEqual([])
  })
})

describe('more than there is', () => {
  const remaining = (remainingAfter: number, reservedAfter: number) => ({
    ...preview(4, 0),
    remainingAfter,
    reservedAfter,
  })
  it('is told by itself, or with what waits', () => {
    expect(excess(remaining(3, 4))).toEqual({ own: 0, together: 0 })
    expect(excess(remaining(-2, 4)).own).toBe(2)
    expect(excess(remaining(1, 7.5))).toEqual({ own: 0, together: 2.5 })
    expect(othersReserved(remaining(1, 7.5))).toBe(3.5)
  })
})

describe('a preview', () => {
  it.each<[Days, boolean]>([
    [daysOf('2026-12-23', '2026-12-23'), true],
    [daysOf('', '2026-12-23'), false],
    [daysOf('2026-12-24', '2026-12-23'), false],
    [daysOf('2026-12-23', '2026-12-23', { startHalf: true, endHalf: true }), false],
    [daysOf('2026-12-23', '2026-12-24', { startHalf: true, endHalf: true }), true],
  ])('is asked for where there is something to compute: %j', (days, whole) => {
    expect(isWhole(days)).toBe(whole)
  })
})

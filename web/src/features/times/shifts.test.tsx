import { describe, expect, it } from 'vitest'
import { entry } from '../../../tests/server'
import { daysAfter, endsNextDay, shiftsOf } from './shifts'

type Times = [date: string, start: string | null, end: string | null, raw?: number]

const entries = (times: Times[]) =>
  times.map(([date, start, end, raw = null], index) =>
    entry(date, start, end, { id: `e-${index}`, workedMinutesRaw: raw }),
  )
const shifts = (...times: Times[]) =>
  shiftsOf(entries(times)).map(shift => [shift.date, shift.entries.map(entry => entry.id).join(' ')])

describe('entries form one shift', () => {
  it('when less than five hours part them, and two from five hours on', () => {
    expect(shifts(['2026-11-19', '07:00', '12:00'], ['2026-11-19', '16:59', '18:00'])).toEqual([
      ['2026-11-19', 'e-0 e-1'],
    ])
    expect(shifts(['2026-11-19', '07:00', '12:00'], ['2026-11-19', '17:00', '18:00'])).toEqual([
      ['2026-11-19', 'e-0'],
      ['2026-11-19', 'e-1'],
    ])
  })

  it('by the latest end so far, not by that of the entry just before', () => {
    expect(
      shifts(
        ['2026-11-19', '07:00', '15:00', 480],
        ['2026-11-19', '08:00', '09:00', 60],
        ['2026-11-19', '19:00', '20:00', 60],
      ),
    ).toEqual([['2026-11-19', 'e-0 e-1 e-2']])
  })

  it('across midnight, dated by the first start', () => {
    expect(
      shifts(
        ['2026-11-19', '21:56', '01:53', 237],
        ['2026-11-20', '02:36', '06:00', 204],
        ['2026-11-20', '21:56', '23:00', 64],
      ),
    ).toEqual([
      ['2026-11-19', 'e-0 e-1'],
      ['2026-11-20', 'e-2'],
    ])
  })

  it('measured in true time when clocks go forward', () => {
    // 23:30 to 04:45 reads as 5 h 15, but 4 h 15 pass.
    expect(shifts(['2026-03-28', '20:00', '23:30', 210], ['2026-03-29', '04:45', '06:00', 75])).toEqual([
      ['2026-03-28', 'e-0 e-1'],
    ])
  })

  it('measured in true time when clocks go back', () => {
    // 23:30 to 03:45 reads as 4 h 15, but 5 h 15 pass.
    expect(shifts(['2026-10-24', '20:00', '23:30', 210], ['2026-10-25', '03:45', '06:00', 135])).toEqual([
      ['2026-10-24', 'e-0'],
      ['2026-10-25', 'e-1'],
    ])
  })

  it.each<[number, string[]]>([
    [240, ['e-0', 'e-1']],
    [300, ['e-0 e-1']],
  ])('by the true minutes of an end that the clocks show twice: %i', (raw, expected) => {
    // To 07:00 it is 5 h 30 from the first 02:30 and 4 h 30 from the second.
    expect(
      shifts(['2026-10-24', '22:30', '02:30', raw], ['2026-10-25', '07:00', '09:00', 120]).map(
        ([, ids]) => ids,
      ),
    ).toEqual(expected)
  })

  it('also of a start that the clocks show twice, when it can only be the second', () => {
    expect(
      shifts(
        ['2026-10-24', '22:00', '02:50', 290],
        ['2026-10-25', '02:10', null],
        ['2026-10-25', '07:05', '08:00', 55],
      ),
    ).toEqual([['2026-10-24', 'e-0 e-1 e-2']])
  })
})

describe('an incomplete entry', () => {
  it('counts with its one known time for the distance', () => {
    expect(shifts(['2026-11-19', '22:00', null], ['2026-11-20', '02:59', '06:00', 181])).toEqual([
      ['2026-11-19', 'e-0 e-1'],
    ])
    expect(shifts(['2026-11-19', '21:00', null], ['2026-11-20', '02:00', '06:00', 240])).toEqual([
      ['2026-11-19', 'e-0'],
      ['2026-11-20', 'e-1'],
    ])
    expect(shifts(['2026-11-19', '18:00', '22:00', 240], ['2026-11-20', null, '02:30'])).toEqual([
      ['2026-11-19', 'e-0 e-1'],
    ])
  })

  it('without a start leaves the date to the first start of its shift', () => {
    expect(shifts(['2026-11-19', null, '23:40'], ['2026-11-20', '00:20', '04:00', 220])).toEqual([
      ['2026-11-20', 'e-0 e-1'],
    ])
  })

  it('stands under its own date where its shift has no start at all', () => {
    expect(shifts(['2026-11-19', null, '16:00'])).toEqual([['2026-11-19', 'e-0']])
  })
})

describe('a time lies on another day than it stands under', () => {
  it.each<[string, Times, { start: number; end: number }]>([
    ['an ordinary entry', ['2026-11-19', '07:00', '16:00', 540], { start: 0, end: 0 }],
    ['an end after midnight', ['2026-11-19', '21:56', '01:53', 237], { start: 0, end: 1 }],
    ['what goes on after midnight', ['2026-11-20', '02:36', '06:00', 204], { start: 1, end: 1 }],
    ['the end of a long chain', ['2026-11-20', '22:00', '02:00', 240], { start: 1, end: 2 }],
    ['a lone end of the evening before', ['2026-11-18', null, '23:40'], { start: -1, end: -1 }],
  ])('%s', (_what, times, expected) => {
    const [shown] = entries([times])
    expect(shown && daysAfter('2026-11-19', shown)).toEqual(expected)
  })
})

describe('an end lies on the next day', () => {
  it.each<[string, string, number | null, boolean, string]>([
    ['07:00', '16:00', 540, false, 'an ordinary day'],
    ['22:00', '06:00', 480, true, 'a night'],
    ['22:00', '06:00', null, true, 'a night whose minutes are not known'],
    ['16:00', '00:00', 480, true, 'until midnight'],
    ['12:00', '12:00', 0, false, 'in and out within a minute'],
    ['12:00', '12:00', 1440, true, 'round the clock'],
    ['22:00', '06:00', 540, true, 'the night in which clocks go back'],
    ['22:00', '06:00', 420, true, 'the night in which clocks go forward'],
    ['02:50', '02:10', 20, false, 'across the hour that comes twice'],
    ['01:30', '01:10', 1420, true, 'almost a day'],
  ])('%s to %s with %s minutes: %s (%s)', (start, end, raw, expected, _what) => {
    expect(endsNextDay(entry('2026-10-24', start, end, { workedMinutesRaw: raw }))).toBe(expected)
  })
})

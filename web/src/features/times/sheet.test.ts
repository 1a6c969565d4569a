import { describe, expect, it } from 'vitest'
import { entry } from '../../../tests/server'
import { breakOf, elapsedMinutes, endsNextDay, sheetOf } from './sheet'

const whole = (date: string, start: string, end: string, raw: number, net: number) =>
  entry(date, start, end, { workedMinutesRaw: raw, workedMinutesNet: net, breakMinutes: raw - net })

describe('a month', () => {
  it('is grouped by day, the newest first, each day as the service sorted it', () => {
    const sheet = sheetOf([
      whole('2026-11-18', '07:04', '12:02', 298, 298),
      whole('2026-11-18', '12:40', '16:48', 248, 203),
      whole('2026-11-17', '06:59', '16:03', 544, 514),
      whole('2026-11-19', '07:00', '08:00', 60, 60),
    ])
    expect(sheet.days.map(day => [day.date, day.entries.map(each => each.start)])).toEqual([
      ['2026-11-19', ['07:00']],
      ['2026-11-18', ['07:04', '12:40']],
      ['2026-11-17', ['06:59']],
    ])
    expect(sheet.days[1]?.sums).toEqual({ net: 501, raw: 546, breaks: 45 })
    expect(sheet.sums).toEqual({ net: 1075, raw: 1150, breaks: 75 })
  })

  it('adds up nothing for what is incomplete or still runs, and counts only the former', () => {
    const sheet = sheetOf([
      entry('2026-11-17', '07:00', null, { flags: ['missing_out'] }),
      entry('2026-11-18', null, '16:00', { flags: ['missing_in'] }),
      entry('2026-11-20', '07:58', null, { running: true }),
    ])
    expect(sheet.sums).toEqual({ net: 0, raw: 0, breaks: 0 })
    expect(sheet.incomplete).toBe(2)
    expect(sheet.running?.date).toBe('2026-11-20')
  })

  it('that is empty has nothing', () => {
    expect(sheetOf([])).toEqual({
      days: [],
      sums: { net: 0, raw: 0, breaks: 0 },
      running: null,
      incomplete: 0,
      pauses: new Map(),
    })
  })
})

describe('the break', () => {
  it('is what is told, or what lies between raw and net', () => {
    expect(breakOf(entry('2026-11-20', '07:00', '16:00', { breakMinutes: 45, workedMinutesRaw: 540 }))).toBe(
      45,
    )
    expect(
      breakOf(entry('2026-11-20', '07:00', '16:00', { workedMinutesRaw: 540, workedMinutesNet: 510 })),
    ).toBe(30)
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

describe('a running entry', () => {
  const running = (date: string, start: string) => entry(date, start, null, { running: true })

  it('has been open for whole minutes', () => {
    const now = new Date('2026-11-20T10:10:59Z')
    expect(elapsedMinutes(running('2026-11-20', '07:58'), now)).toBe(192)
  })

  it('counts the true length of the nights in which clocks change', () => {
    expect(elapsedMinutes(running('2026-10-24', '22:00'), new Date('2026-10-25T05:00:00Z'))).toBe(540)
    expect(elapsedMinutes(running('2026-03-28', '22:00'), new Date('2026-03-29T04:00:00Z'))).toBe(420)
  })

  it('is never open for less than nothing, and only a running one is open', () => {
    expect(elapsedMinutes(running('2026-11-20', '07:58'), new Date('2026-11-20T06:57:00Z'))).toBe(0)
    expect(elapsedMinutes(entry('2026-11-20', '07:58', null), new Date())).toBeNull()
  })
})

describe('the break taken after an entry', () => {
  const pauses = (...times: [date: string, start: string | null, end: string | null, raw?: number][]) => [
    ...sheetOf(
      times.map(([date, start, end, raw = null], index) =>
        entry(date, start, end, { id: `e-${index}`, workedMinutesRaw: raw }),
      ),
    ).pauses,
  ]

  it('lies between it and the next', () => {
    expect(pauses(['2026-11-18', '07:00', '12:02'], ['2026-11-18', '12:40', '16:48'])).toEqual([['e-0', 38]])
  })

  it('is one after midnight too, also across the days', () => {
    expect(pauses(['2026-11-18', '21:58', '01:50', 232], ['2026-11-19', '02:25', '06:00'])).toEqual([
      ['e-0', 35],
    ])
    expect(pauses(['2026-11-18', '18:00', '23:50', 350], ['2026-11-19', '00:20', '04:00'])).toEqual([
      ['e-0', 30],
    ])
  })

  it.each([
    ['12:00', '12:14', 'too short to be one'],
    ['12:00', '17:00', 'another shift'],
  ])('is none from %s to %s: %s', (end, start, _why) => {
    expect(pauses(['2026-11-18', '07:00', end], ['2026-11-18', start, '20:00'])).toEqual([])
  })

  it('is not guessed where a time is missing', () => {
    expect(pauses(['2026-11-18', '07:00', null], ['2026-11-18', '12:40', '16:48'])).toEqual([])
    expect(pauses(['2026-11-18', '07:00', '12:00'], ['2026-11-18', null, '16:48'])).toEqual([])
  })

  it('has its true length when clocks go forward, and is not guessed in the hour that comes twice', () => {
    expect(pauses(['2026-03-28', '22:00', '01:50', 230], ['2026-03-29', '03:20', '06:00'])).toEqual([
      ['e-0', 30],
    ])
    expect(pauses(['2026-10-24', '22:00', '01:50', 230], ['2026-10-25', '02:30', '06:00'])).toEqual([])
    expect(pauses(['2026-10-24', '22:00', '01:30', 210], ['2026-10-25', '03:00', '06:00'])).toEqual([
      ['e-0', 150],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { entry } from '../../../tests/server'
import { breakOf, elapsedMinutes, isUnusual, pauseOf, sheetOf, type TimeEntry } from './sheet'

const entryOf = (date: string, start: string, end: string, raw: number, net: number) =>
  entry(date, start, end, { workedMinutesRaw: raw, workedMinutesNet: net, breakMinutes: raw - net })

describe('a month', () => {
  it('is grouped by day, the newest first, each day as the service sorted it', () => {
    const sheet = sheetOf([
      entryOf('2026-11-18', '07:04', '12:02', 298, 298),
      entryOf('2026-11-18', '12:40', '16:48', 248, 203),
      entryOf('2026-11-17', '06:59', '16:03', 544, 514),
      entryOf('2026-11-19', '07:00', '08:00', 60, 60),
    ])
    expect(sheet.days.map(day => [day.date, day.entries.map(entry => entry.start)])).toEqual([
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
      incompleteDays: [],
      pauses: new Map(),
      differs: { pauses: false, deductions: false, sources: false, hints: false },
      usualClock: null,
    })
  })

  it('names the days with incomplete entries, once each, newest first; what runs is none of them', () => {
    const sheet = sheetOf([
      entry('2026-11-16', '07:00', null),
      entry('2026-11-17', '07:00', null),
      entry('2026-11-17', null, '16:00'),
      entryOf('2026-11-18', '07:00', '08:00', 60, 60),
      entry('2026-11-20', '07:58', null, { running: true }),
    ])
    expect(sheet.incompleteDays).toEqual(['2026-11-17', '2026-11-16'])
    expect(sheet.incomplete).toBe(3)
  })

  it('names the day under which an incomplete entry stands, not the later one of its own date', () => {
    const sheet = sheetOf([
      entryOf('2026-11-18', '21:56', '01:53', 237, 237),
      entry('2026-11-19', '02:36', null),
      entryOf('2026-11-19', '21:56', '23:00', 64, 64),
    ])
    expect(sheet.days.map(day => day.date)).toEqual(['2026-11-19', '2026-11-18'])
    expect(sheet.incompleteDays).toEqual(['2026-11-18'])
  })
})

describe('a shift', () => {
  const daysOf = (entries: TimeEntry[]) =>
    sheetOf(entries).days.map(day => [
      day.date,
      day.entries.map(entry => entry.start ?? entry.end),
      day.sums.net,
    ])

  it('that goes on after midnight stands whole under the day on which it began, and counts as one day', () => {
    const sheet = sheetOf([
      entryOf('2026-11-19', '21:56', '01:53', 237, 237),
      entryOf('2026-11-20', '02:36', '06:00', 204, 204),
      entryOf('2026-11-20', '21:58', '01:50', 232, 232),
      entryOf('2026-11-21', '02:30', '06:01', 211, 211),
    ])
    expect(sheet.days.map(day => [day.date, day.entries.length, day.sums.net])).toEqual([
      ['2026-11-20', 2, 443],
      ['2026-11-19', 2, 441],
    ])
    expect(sheet.sums.net).toBe(884)
  })

  it('shares its day with another that begins on the same', () => {
    expect(
      daysOf([
        entryOf('2026-11-19', '05:00', '09:00', 240, 240),
        entryOf('2026-11-19', '20:00', '23:50', 230, 230),
        entryOf('2026-11-20', '00:20', '04:00', 220, 220),
        entryOf('2026-11-20', '14:00', '15:00', 60, 60),
      ]),
    ).toEqual([
      ['2026-11-20', ['14:00'], 60],
      ['2026-11-19', ['05:00', '20:00', '00:20'], 690],
    ])
  })

  it('keeps its own date where what came before is not known', () => {
    expect(daysOf([entryOf('2026-11-01', '02:36', '06:00', 204, 204)])).toEqual([
      ['2026-11-01', ['02:36'], 204],
    ])
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

describe('what differs within a month', () => {
  const differs = (...entries: TimeEntry[]) =>
    Object.entries(sheetOf(entries).differs).flatMap(([part, does]) => (does ? [part] : []))
  const plain = (date: string, more: Partial<TimeEntry> = {}) => ({
    ...entryOf(date, '07:00', '12:00', 300, 300),
    ...more,
  })

  it('is nothing where every entry is like the others', () => {
    expect(differs(plain('2026-11-18'), plain('2026-11-19'))).toEqual([])
    const nameless = { clockName: null }
    expect(differs(plain('2026-11-18', nameless), plain('2026-11-19', nameless))).toEqual([])
  })

  it('are breaks that were taken', () => {
    expect(differs(plain('2026-11-18'), entryOf('2026-11-18', '12:30', '16:00', 210, 210))).toEqual([
      'pauses',
    ])
  })

  it('are deductions, told or not, but none of an entry that does not count', () => {
    expect(differs(entryOf('2026-11-18', '07:00', '16:00', 540, 510))).toEqual(['deductions'])
    const untold = { workedMinutesRaw: 540, workedMinutesNet: 510 }
    expect(differs(entry('2026-11-18', '07:00', '16:00', untold))).toEqual(['deductions'])
    expect(differs(entry('2026-11-18', '07:00', null, { workedMinutesRaw: 540, breakMinutes: 30 }))).toEqual(
      [],
    )
  })

  it.each([
    ['another clock', { clockName: 'Lager' }],
    ['a clock without a name', { clockName: null }],
    ['a correction', { source: 'correction' }],
  ] as const)('are its sources, by %s, which is a hint too', (_what, more) => {
    expect(differs(plain('2026-11-18'), plain('2026-11-19', more))).toEqual(['sources', 'hints'])
  })

  it('are no sources where all of them are corrections, but each is a hint', () => {
    const corrected = (clockName: string | null) => ({ source: 'correction', clockName }) as const
    expect(differs(plain('2026-11-18', corrected('Lager')), plain('2026-11-19', corrected(null)))).toEqual([
      'hints',
    ])
  })

  it('are its flags', () => {
    expect(differs(plain('2026-11-18', { flags: ['late'] }))).toEqual(['hints'])
  })
})

describe('the usual clock', () => {
  const sheetWithClocks = (...clocks: (string | null)[]) =>
    sheetOf(clocks.map((clockName, day) => entry(`2026-11-0${day + 1}`, '07:00', '12:00', { clockName })))

  it.each([
    [['Lager', 'Werkstatt', 'Werkstatt'], 'Werkstatt'],
    [['Lager', 'Werkstatt'], 'Lager'],
    [[null, null, 'Lager'], 'Lager'],
    [[null], null],
    [[], null],
  ])('of %j is %s', (clocks, usual) => expect(sheetWithClocks(...clocks).usualClock).toBe(usual))

  it('is none that only corrections name', () => {
    const corrected = { source: 'correction', clockName: 'Lager' } as const
    const sheet = sheetOf([
      entry('2026-11-01', '07:00', '12:00', corrected),
      entry('2026-11-02', '07:00', '12:00', corrected),
      entry('2026-11-03', '07:00', '12:00'),
    ])
    expect(sheet.usualClock).toBe('Werkstatt')
    expect(sheetOf([entry('2026-11-01', '07:00', '12:00', corrected)]).usualClock).toBeNull()
  })

  it('is worth no word at an entry of its own; any other place and every correction is', () => {
    const sheet = sheetWithClocks('Werkstatt', 'Werkstatt', 'Lager')
    const unusual = (more: Partial<TimeEntry>) =>
      isUnusual(entry('2026-11-01', '07:00', '12:00', more), sheet)
    expect(unusual({ clockName: 'Werkstatt' })).toBe(false)
    expect(unusual({ clockName: 'Lager' })).toBe(true)
    expect(unusual({ clockName: null })).toBe(true)
    expect(unusual({ clockName: 'Werkstatt', source: 'correction' })).toBe(true)
  })

  it('that has no name is the usual one where none has', () => {
    const sheet = sheetWithClocks(null, null)
    expect(isUnusual(entry('2026-11-01', '07:00', '12:00', { clockName: null }), sheet)).toBe(false)
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

describe('the break taken on a day', () => {
  it('is all of its breaks together, those after midnight too, and no other day’s', () => {
    const { days, pauses } = sheetOf([
      entryOf('2026-11-17', '07:00', '12:00', 300, 300),
      entryOf('2026-11-18', '18:00', '20:00', 120, 120),
      entryOf('2026-11-18', '20:20', '23:50', 210, 210),
      entryOf('2026-11-19', '00:20', '04:00', 220, 220),
    ])
    expect(days.map(day => [day.date, pauseOf(day, pauses)])).toEqual([
      ['2026-11-18', 50],
      ['2026-11-17', 0],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import {
  coming,
  covers,
  type Duty,
  dayWord,
  endOf,
  hasBegun,
  isRunning,
  type Leave,
  leaveByDay,
  ownDuties,
  rangeAhead,
  timesOf,
  weeksAround,
} from './plan'
import { weekNumber, weeksWith, weekTitle } from './weeks'

const TODAY = '2026-11-20'

const duty = (date: string, start: string | null = null, end: string | null = null): Duty => ({
  id: `d-${date}`,
  date,
  start,
  end,
})

const leave = (startDate: string, endDate: string, more: Partial<Leave> = {}): Leave => ({
  id: `l-${startDate}`,
  kind: 'vacation',
  startDate,
  endDate,
  startHalf: false,
  endHalf: false,
  ...more,
})

describe('what is asked for', () => {
  it('are whole weeks of this month and the two after it', () => {
    expect(weeksAround('2026-11')).toEqual({ from: '2026-10-26', to: '2026-12-06' })
    expect(rangeAhead(TODAY)).toEqual({ from: '2026-10-26', to: '2027-01-31' })
  })

  it('reaches 60 days ahead, also from the last of January', () => {
    expect(rangeAhead('2027-01-31').to).toBe('2027-04-04')
    // Here the two months end in a week that ends before the sixtieth day.
    expect(rangeAhead('2031-12-31').to >= '2032-02-29').toBe(true)
  })

  it.each([
    ['2026-10', false],
    ['2026-11', true],
    ['2027-01', true],
    ['2027-02', false],
  ])('covers %s: %s', (month, within) => expect(covers(rangeAhead(TODAY), month)).toBe(within))
})

describe('duties', () => {
  it('are the own ones, by day, whatever else the service lists and however it writes a day', () => {
    const row = (id: string, userId: string, date: string) => ({
      ...duty(date),
      id,
      userId,
      username: 'x',
      published: true,
    })
    const rows = [
      row('b', 'u-1', '2026-11-24T00:00:00Z'),
      row('x', 'u-2', '2026-11-21'),
      row('a', 'u-1', '2026-11-23'),
    ]
    expect(ownDuties(rows, 'u-1', []).map(({ id, date }) => [id, date])).toEqual([
      ['a', '2026-11-23'],
      ['b', '2026-11-24'],
    ])
  })

  it('are new while nobody has published them', () => {
    const row = { ...duty('2026-11-23'), userId: 'u-1', username: 'x', published: false }
    expect(ownDuties([row], 'u-1', [])[0]?.news).toBe('neu')
    expect(ownDuties([{ ...row, published: true }], 'u-1', [])[0]?.news).toBeUndefined()
  })

  it('are changed where an unread message tells of their day', () => {
    const rows = ['2026-11-23', '2026-11-25'].map(date => ({
      ...duty(date),
      userId: 'u-1',
      username: 'x',
      published: true,
    }))
    const messages = [
      { payload: { dates: ['2026-11-23', '2026-11-24'] } },
      { payload: { date: '2026-11-25' } },
    ]
    expect(ownDuties(rows, 'u-1', messages).map(({ news }) => news)).toEqual(['geändert', undefined])
  })

  it('end on the next day where the end reads no later than the start', () => {
    expect(endOf(duty(TODAY, '22:00', '06:00')).toISOString()).toBe('2026-11-21T05:00:00.000Z')
    expect(endOf(duty(TODAY, '07:00', '15:30')).toISOString()).toBe('2026-11-20T14:30:00.000Z')
    expect(endOf(duty(TODAY)).toISOString()).toBe('2026-11-20T23:00:00.000Z')
    expect(endOf(duty('2026-10-25', '07:00', null)).toISOString()).toBe('2026-10-25T23:00:00.000Z')
  })

  it.each([
    [null, null, null],
    ['07:00', '15:30', '07:00–15:30'],
    ['07:00', null, 'ab 07:00'],
    ['22:00', '06:00', '22:00–06:00 am Folgetag'],
  ])('from %s to %s read %s', (start, end, words) => expect(timesOf(duty(TODAY, start, end))).toBe(words))
})

describe('the next duty', () => {
  const timeOnDay = (time: string) => new Date(`2026-11-20T${time}:00+01:00`)
  const first = (duties: Duty[], now: Date) => coming(duties, now, TODAY)[0]?.date

  it.each([
    ['today’s before it begins', '06:00', TODAY],
    ['today’s until its end', '15:29', TODAY],
    ['after that the one after it', '15:30', '2026-11-23'],
  ])('is %s', (_which, time, date) => {
    expect(first([duty(TODAY, '07:00', '15:30'), duty('2026-11-23')], timeOnDay(time))).toBe(date)
  })

  it('is one without times until the day is over', () => {
    expect(first([duty('2026-11-19'), duty(TODAY)], timeOnDay('23:59'))).toBe(TODAY)
  })

  it('is last night’s until its end', () => {
    const night = duty('2026-11-19', '22:00', '06:00')
    expect(first([night, duty(TODAY)], timeOnDay('05:59'))).toBe('2026-11-19')
    expect(first([night, duty(TODAY)], timeOnDay('06:00'))).toBe(TODAY)
    expect(isRunning(night, timeOnDay('05:59'))).toBe(true)
  })

  it('has begun with its first minute, and without times when its day is over', () => {
    const begun = (duty: Duty, time: string) => hasBegun(duty, timeOnDay(time), TODAY)
    expect(begun(duty(TODAY, '22:00', '06:00'), '21:59')).toBe(false)
    expect(begun(duty(TODAY, '22:00', '06:00'), '22:00')).toBe(true)
    expect(begun(duty(TODAY), '23:59')).toBe(false)
    expect(begun(duty('2026-11-19'), '00:00')).toBe(true)
  })

  it('is looked for 60 days ahead', () => {
    expect(first([duty('2027-01-19')], timeOnDay('08:00'))).toBe('2027-01-19')
    expect(first([duty('2027-01-20')], timeOnDay('08:00'))).toBeUndefined()
  })

  it.each([
    ['2026-11-19', 'Gestern'],
    ['2026-11-20', 'Heute'],
    ['2026-11-21', 'Morgen'],
    ['2026-11-27', 'Freitag, 27. November'],
    ['2027-01-04', 'Montag, 4. Januar 2027'],
  ])('on %s is called %s', (date, words) => expect(dayWord(date, TODAY)).toBe(words))
})

describe('leave', () => {
  it('stands on each of its days, and says of which half it is', () => {
    const days = leaveByDay([leave('2026-11-18', '2026-11-20', { startHalf: true, endHalf: true })], {
      from: '2026-11-01',
      to: '2026-11-30',
    })
    expect([...days].map(([day, [thing]]) => [day, thing?.half])).toEqual([
      ['2026-11-18', 'second'],
      ['2026-11-19', null],
      ['2026-11-20', 'first'],
    ])
  })

  it('stands on no day of company holidays that it leaves out', () => {
    const leftOut = [{ startDate: '2026-11-18', endDate: '2026-11-19' }]
    const days = leaveByDay([leave('2026-11-18', '2026-11-20', { leftOut })], {
      from: '2026-11-01',
      to: '2026-11-30',
    })
    expect([...days.keys()]).toEqual(['2026-11-20'])
  })

  it('ends where the range does', () => {
    const days = leaveByDay([leave('2026-10-20', '2026-12-20')], { from: '2026-11-01', to: '2026-11-03' })
    expect([...days.keys()]).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
  })
})

describe('a month as a list', () => {
  const rows = (duties: Duty[], free: Leave[] = [], month = '2026-11') =>
    weeksWith(month, TODAY, duties, free).map(week => [
      week.monday,
      week.rows.map(({ from, to }) => [from, to]),
    ])

  it('has the days with something on them, and today, by week', () => {
    expect(rows([duty('2026-11-02'), duty('2026-11-19')])).toEqual([
      ['2026-11-02', [['2026-11-02', '2026-11-02']]],
      [
        '2026-11-16',
        [
          ['2026-11-19', '2026-11-19'],
          [TODAY, TODAY],
        ],
      ],
    ])
  })

  it('has whole weeks: what lies beyond the ends of the month in them is no free time', () => {
    const week = ['2026-11-30', '2026-12-01', '2026-12-02', '2026-12-06', '2026-12-07']
    expect(rows([duty('2026-10-25'), duty('2026-10-26'), ...week.map(day => duty(day))])).toEqual([
      ['2026-10-26', [['2026-10-26', '2026-10-26']]],
      ['2026-11-16', [[TODAY, TODAY]]],
      ['2026-11-30', week.slice(0, 4).map(day => [day, day])],
    ])
  })

  it('puts leave that goes on into one line a week, but for what differs in it', () => {
    const free = [leave('2026-11-03', '2026-11-10', { startHalf: true })]
    expect(rows([duty('2026-11-05')], free)).toEqual([
      [
        '2026-11-02',
        [
          ['2026-11-03', '2026-11-03'],
          ['2026-11-04', '2026-11-04'],
          ['2026-11-05', '2026-11-05'],
          ['2026-11-06', '2026-11-08'],
        ],
      ],
      ['2026-11-09', [['2026-11-09', '2026-11-10']]],
      ['2026-11-16', [[TODAY, TODAY]]],
    ])
  })

  it.each([
    ['2026-11-16', 'Diese Woche · 16.11.–22.11.'],
    ['2026-11-23', 'Nächste Woche · 23.11.–29.11.'],
    ['2026-11-30', 'KW\u00a049 · 30.11.–06.12.'],
  ])('names the week of %s', (monday, title) => expect(weekTitle(monday, TODAY)).toBe(title))

  it.each([
    ['2026-12-28', 53],
    ['2027-01-04', 1],
    ['2024-12-30', 1],
  ])('the week of %s is the %sth', (monday, number) => expect(weekNumber(monday)).toBe(number))
})

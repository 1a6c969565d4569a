import { describe, expect, it } from 'vitest'
import { addDays, dayInMonth, dayOf, instantOf, longDay, momentOf, mondayOf, shortDay, timeOf } from './days'

const EVERYWHERE = ['Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/Berlin', 'UTC']

describe('days stay the days they are', () => {
  it.each(EVERYWHERE)('whatever zone the browser stands in: %s', zone => {
    const zoneBefore = process.env.TZ ?? 'UTC'
    process.env.TZ = zone
    try {
      expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
      expect(longDay('2026-11-20')).toBe('Freitag, 20. November 2026')
      expect(dayInMonth('2026-03-01')).toBe('Sonntag, 1. März')
      expect(shortDay('2026-01-31')).toEqual({ weekday: 'Sa', date: '31.01.' })
      expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
    } finally {
      process.env.TZ = zoneBefore
    }
  })

  it.each([
    ['2026-11-23', '2026-11-23'],
    ['2026-11-29', '2026-11-23'],
    ['2027-01-01', '2026-12-28'],
  ])('%s lies in the week of Monday %s', (day, monday) => expect(mondayOf(day)).toBe(monday))

  it('counts days across both clock changes', () => {
    expect(addDays('2026-03-28', 1)).toBe('2026-03-29')
    expect(addDays('2026-03-29', 1)).toBe('2026-03-30')
    expect(addDays('2026-10-25', -1)).toBe('2026-10-24')
    expect(addDays('2026-10-25', 1)).toBe('2026-10-26')
  })

  it('refuses what is no day', () => {
    expect(() => longDay('20.11.2026')).toThrow(RangeError)
  })
})

describe('instants are shown in their zone', () => {
  it('before and after midnight in Berlin', () => {
    expect(dayOf(new Date('2026-11-19T22:59:59Z'))).toBe('2026-11-19')
    expect(dayOf(new Date('2026-11-19T23:00:00Z'))).toBe('2026-11-20')
    expect(timeOf(new Date('2026-11-19T23:00:00Z'))).toBe('00:00')
  })

  it('in summer and in winter', () => {
    expect(timeOf(new Date('2026-07-01T05:58:00Z'))).toBe('07:58')
    expect(timeOf(new Date('2026-12-01T06:58:00Z'))).toBe('07:58')
    expect(momentOf(new Date('2026-11-20T06:58:00Z'))).toBe('20. November, 07:58')
  })
})

describe('a local time becomes an instant', () => {
  it('in summer and in winter', () => {
    expect(instantOf('2026-07-01', '07:58').toISOString()).toBe('2026-07-01T05:58:00.000Z')
    expect(instantOf('2026-12-01', '07:58').toISOString()).toBe('2026-12-01T06:58:00.000Z')
  })

  it('takes the first of two in the night in which clocks go back', () => {
    expect(instantOf('2026-10-25', '02:30').toISOString()).toBe('2026-10-25T00:30:00.000Z')
    expect(instantOf('2026-10-25', '01:59').toISOString()).toBe('2026-10-24T23:59:00.000Z')
    expect(instantOf('2026-10-25', '03:00').toISOString()).toBe('2026-10-25T02:00:00.000Z')
  })

  it('keeps the right side of the night in which clocks go forward', () => {
    expect(instantOf('2026-03-29', '01:59').toISOString()).toBe('2026-03-29T00:59:00.000Z')
    expect(instantOf('2026-03-29', '03:00').toISOString()).toBe('2026-03-29T01:00:00.000Z')
  })
})

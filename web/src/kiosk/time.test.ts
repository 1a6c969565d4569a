import { describe, expect, it } from 'vitest'
import { difference } from '../ui/durations'
import { drift, localTime, momentIn, sameDay } from './time'

describe('the clock’s own time', () => {
  it('stands in the company’s zone, across clock changes', () => {
    const clockAt = (iso: string) => localTime(Date.parse(iso), 'Europe/Berlin').hoursMinutes
    expect(clockAt('2026-03-29T00:59:59Z')).toBe('01:59')
    expect(clockAt('2026-03-29T01:00:00Z')).toBe('03:00')
    expect(clockAt('2026-10-25T00:59:59Z')).toBe('02:59')
    expect(clockAt('2026-10-25T01:00:00Z')).toBe('02:00')
    expect(clockAt('2026-11-19T23:00:00Z')).toBe('00:00')
  })

  it('shows the day and the seconds', () => {
    expect(localTime(Date.parse('2026-11-20T06:58:07Z'), 'Europe/Berlin')).toEqual({
      hoursMinutes: '07:58',
      seconds: '07',
      day: 'Freitag, 20. November',
    })
    expect(momentIn('2026-11-18T06:02:00.000Z', 'Europe/Berlin')).toBe('Mittwoch, 18. November, 07:02')
  })

  it('knows whether two instants lie on one day of the zone', () => {
    const isSameDay = (a: string, b: string, zone = 'Europe/Berlin') =>
      sameDay(Date.parse(a), Date.parse(b), zone)
    expect(isSameDay('2026-11-19T23:00:00Z', '2026-11-20T22:59:59Z')).toBe(true)
    expect(isSameDay('2026-11-19T22:59:59Z', '2026-11-19T23:00:00Z')).toBe(false)
    expect(isSameDay('2025-11-20T12:00:00Z', '2026-11-20T12:00:00Z')).toBe(false)
    expect(isSameDay('2026-11-19T23:00:00Z', '2026-11-20T22:59:59Z', 'Mars/Olympus')).toBe(false)
  })

  it('falls back to UTC in a zone that it does not know', () => {
    expect(localTime(Date.parse('2026-11-20T06:58:07Z'), 'Mars/Olympus').hoursMinutes).toBe('06:58')
  })
})

describe('the drift', () => {
  it('changes with each minute, stays within a few pixels and comes round', () => {
    const places = Array.from({ length: 8 }, (_, minute) => drift(minute * 60_000))
    expect(new Set(places.map(({ x, y }) => `${x},${y}`)).size).toBe(8)
    expect(places.every(({ x, y }) => Math.abs(x) <= 6 && Math.abs(y) <= 6)).toBe(true)
    expect(drift(8 * 60_000)).toEqual(drift(0))
    expect(drift(59_999)).toEqual(drift(0))
  })
})

describe('a balance', () => {
  it.each([
    [250, '+4h 10m'],
    [0, '0h 00m'],
    [-25, '−0h 25m'],
  ])('of %i reads %s', (minutes, text) => expect(difference(minutes)).toBe(text))
})

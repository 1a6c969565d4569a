import { describe, expect, it } from 'vitest'
import { difference, hoursMinutes, span, spokenDuration } from './durations'

describe('durations', () => {
  it.each([
    [0, '0h 00m'],
    [5, '0h 05m'],
    [485, '8h 05m'],
    [6244, '104h 04m'],
    [-25, '−0h 25m'],
    [-600, '−10h 00m'],
  ])('%i minutes read %s', (minutes, text) => expect(hoursMinutes(minutes)).toBe(text))

  it.each([
    [0, '0h 00m'],
    [30, '+0h 30m'],
    [510, '+8h 30m'],
    [-15, '−0h 15m'],
    [-0.4, '0h 00m'],
    [0.4, '0h 00m'],
  ])('a difference of %d minutes is %s, with its sign', (minutes, text) =>
    expect(difference(minutes)).toBe(text),
  )

  it.each([
    [0, '0 Minuten'],
    [1, '1 Minute'],
    [60, '1 Stunde'],
    [61, '1 Stunde 1 Minute'],
    [120, '2 Stunden'],
    [485, '8 Stunden 5 Minuten'],
    [-25, '−25 Minuten'],
    [-60, '−1 Stunde'],
  ])('%i minutes are spoken as %s', (minutes, text) => expect(spokenDuration(minutes)).toBe(text))
})

describe('a span', () => {
  it.each([
    ['07:00', '16:00', '07:00–16:00'],
    ['22:00', '06:00', '22:00–06:00'],
    ['07:00', 'fehlt', '07:00\u00a0–\u00a0fehlt'],
  ])('from %s to %s reads %s', (start, end, text) => expect(span(start, end)).toBe(text))
})

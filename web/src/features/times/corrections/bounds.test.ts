import { describe, expect, it } from 'vitest'
import { boundsOf } from './bounds'

describe('how long two times on a day are', () => {
  it.each([
    ['2026-11-20', '07:00', '15:30', 510, false],
    ['2026-11-20', '22:00', '06:00', 480, true],
    // Clocks go back at three: the night is an hour longer, and 02:30 occurs twice.
    ['2026-10-24', '22:00', '06:00', 540, true],
    ['2026-10-25', '02:30', '02:45', 75, false],
    ['2026-10-25', '02:50', '02:10', 20, false],
    // And forward at two.
    ['2026-03-28', '22:00', '06:00', 420, true],
  ])('%s %s–%s', (day, start, end, minutes, nextDay) => {
    expect(boundsOf(day, start, end)).toMatchObject({ minutes, nextDay })
  })

  it('is not known while one is missing, or both are the same', () => {
    expect(boundsOf('2026-11-20', '07:00', '')).toBeNull()
    expect(boundsOf('', '07:00', '08:00')).toBeNull()
    expect(boundsOf('2026-11-20', '07:00', '07:00')).toBeNull()
  })

  it('is nothing where clocks skip one', () => {
    expect(boundsOf('2026-03-29', '02:30', '10:00')).toBe('start_skipped')
    expect(boundsOf('2026-03-28', '22:00', '02:30')).toBe('end_skipped')
  })
})

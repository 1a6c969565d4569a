import { afterEach, describe, expect, it, vi } from 'vitest'
import { addMonths, bounds, currentMonth, isMonth, monthName, monthWord } from './months'

describe('months', () => {
  it('follow each other across the year', () => {
    expect(addMonths('2026-12', 1)).toBe('2027-01')
    expect(addMonths('2026-01', -1)).toBe('2025-12')
    expect(addMonths('2026-11', -23)).toBe('2024-12')
    expect(addMonths('2026-11', 0)).toBe('2026-11')
  })

  it('run from their first to their last day', () => {
    expect(bounds('2026-02')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
    expect(bounds('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
    expect(bounds('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' })
  })

  it('have German names', () => {
    expect(monthName('2026-03')).toBe('März 2026')
    expect(monthWord('2026-09')).toBe('September')
  })

  it('are told from nonsense', () => {
    expect(
      ['2026-11', '2026-00', '2026-13', '26-11', '2026-11-01', '', null, undefined].map(isMonth),
    ).toEqual([true, ...Array.from({ length: 7 }, () => false)])
  })

  afterEach(() => void vi.useRealTimers())

  it('the current one is Berlin’s, also an hour before it is in UTC', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T22:59:00Z') })
    expect(currentMonth()).toBe('2026-11')
    vi.setSystemTime(new Date('2026-11-30T23:00:00Z'))
    expect(currentMonth()).toBe('2026-12')
  })
})

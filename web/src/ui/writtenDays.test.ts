import { describe, expect, it } from 'vitest'
import { spanOfDays, spansOfDays, writtenDay } from './writtenDays'

describe('days are written in one form', () => {
  it('in words in a sentence', () => {
    expect(writtenDay('2026-09-06')).toBe('6. September 2026')
  })

  it.each([
    ['2026-11-05', '2026-11-05', '5. November 2026'],
    ['2026-11-05', '2026-11-06', '5.–6. November 2026'],
    ['2026-10-30', '2026-11-02', '30. Oktober – 2. November 2026'],
    ['2026-12-30', '2027-01-02', '30. Dezember 2026 – 2. Januar 2027'],
  ])('%s to %s is a span', (first, last, text) => expect(spanOfDays(first, last)).toBe(text))

  it('those that follow one another become spans, whatever their order', () => {
    const days = ['2026-11-06', '2026-11-05', '2026-11-09', '2026-11-09']
    expect(spansOfDays(days)).toEqual(['5.–6. November 2026', '9. November 2026'])
    expect(spansOfDays([])).toEqual([])
  })
})

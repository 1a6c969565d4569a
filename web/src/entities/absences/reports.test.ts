import { describe, expect, it } from 'vitest'
import { type Absence, reportsOf } from './reports'

const absence = (id: string, date: string, more: Partial<Absence> = {}) =>
  ({ id, date, reportId: 'r-1', status: 'open', userMessage: 'Bis Montag.', ...more }) as Absence

describe('the days of a report', () => {
  it('stand together in their order, and those of others apart', () => {
    const reports = reportsOf([
      absence('a-2', '2026-11-20'),
      absence('a-1', '2026-11-19'),
      absence('b-1', '2026-11-20', { reportId: 'r-2', userMessage: null }),
    ])
    expect(reports.map(({ first, last, days, messages }) => [first, last, days.length, messages])).toEqual([
      ['2026-11-19', '2026-11-20', 2, ['Bis Montag.']],
      ['2026-11-20', '2026-11-20', 1, []],
    ])
  })

  it('that were decided differently are decided about apart', () => {
    const reports = reportsOf([
      absence('a-1', '2026-11-19', { status: 'excused' }),
      absence('a-2', '2026-11-20'),
    ])
    expect(reports.map(({ id, status }) => [id, status])).toEqual([
      ['r-1', 'excused'],
      ['r-1', 'open'],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { daysFrom } from '../../ui/days'
import { type Absence, around, reportsOf } from './reports'

const day = (date: string, more: Partial<Absence> = {}): Absence => ({
  id: `a-${date}`,
  date,
  kind: 'sick',
  status: 'open',
  sickNotePath: null,
  userMessage: null,
  userId: 'u-1',
  username: 'Mia Sommer',
  reportId: 'r-1',
  certified: false,
  reason: null,
  credited: true,
  comment: null,
  ...more,
})

describe('the reports of a month', () => {
  it('hold their days together, the latest report first', () => {
    const reports = reportsOf(
      [
        day('2026-11-04'),
        day('2026-11-03'),
        day('2026-11-16', { kind: 'missing', reportId: 'r-2', status: 'declined' }),
      ],
      '2026-11',
    )
    expect(reports.map(({ id, kind, first, last }) => [id, kind, first, last])).toEqual([
      ['r-2', 'missing', '2026-11-16', '2026-11-16'],
      ['r-1', 'sick', '2026-11-03', '2026-11-04'],
    ])
  })

  it('are whole also where they go beyond the month, and only those that touch it', () => {
    const days = [day('2026-10-31'), day('2026-11-01'), day('2026-12-01', { reportId: 'r-2' })]
    expect(reportsOf(days, '2026-11').map(({ first, last }) => [first, last])).toEqual([
      ['2026-10-31', '2026-11-01'],
    ])
  })

  it('are asked for in one call of at most 400 days', () => {
    for (const month of ['2026-02', '2026-12', '2028-02']) {
      const { from, to } = around(month)
      expect(daysFrom(from, to) + 1).toBeLessThanOrEqual(400)
    }
  })

  it('say what was decided of which days', () => {
    const [report] = reportsOf(
      [day('2026-11-03', { status: 'excused' }), day('2026-11-04', { status: 'excused' }), day('2026-11-05')],
      '2026-11',
    )
    expect(report?.runs).toEqual([
      { first: '2026-11-03', last: '2026-11-04', status: 'excused' },
      { first: '2026-11-05', last: '2026-11-05', status: 'open' },
    ])
  })

  it('are called by what they are: of a special absence by its reason, with what was said to it', () => {
    const special = {
      kind: 'special',
      reason: 'Sonderurlaub',
      status: 'excused',
      comment: 'Alles Gute!',
    } as const
    const [report] = reportsOf([day('2026-11-03', special), day('2026-11-04', special)], '2026-11')
    expect(report).toMatchObject({ kind: 'special', reason: 'Sonderurlaub', comments: ['Alles Gute!'] })
  })

  it('take a note at a day that was not taken back, else nowhere', () => {
    const noteAt = (...days: Absence[]) => reportsOf(days, '2026-11')[0]?.day?.date
    const cancelled = day('2026-11-03', { status: 'cancelled' })
    expect(noteAt(cancelled, day('2026-11-04', { status: 'declined' }))).toBe('2026-11-04')
    expect(noteAt(cancelled)).toBeUndefined()
  })

  it('take a message at the open day that has one, else at the first open one, else nowhere', () => {
    const answerable = (...days: Absence[]) => reportsOf(days, '2026-11')[0]?.answerable?.date
    expect(answerable(day('2026-11-03', { status: 'excused' }), day('2026-11-04'))).toBe('2026-11-04')
    expect(answerable(day('2026-11-03'), day('2026-11-04', { userMessage: 'Grippe' }))).toBe('2026-11-04')
    expect(answerable(day('2026-11-03', { status: 'declined' }))).toBeUndefined()
  })
})

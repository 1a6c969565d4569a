import { describe, expect, it } from 'vitest'
import { carriedInto, ledgerOf } from './ledger'
import { november, year } from './samples'
import type { MonthAccount } from './useAccount'

const lines = (account: MonthAccount, today: string) =>
  ledgerOf(account, today).lines.map(({ kind, toDate, month }) => [kind, toDate, month])

describe('the reckoning of a month', () => {
  it('that is under way adds up to both balances that the service tells', () => {
    const ledger = ledgerOf(november, '2026-11-20')
    expect(ledger.phase).toBe('present')
    expect(lines(november, '2026-11-20')).toEqual([
      ['actual', 5060, 5060],
      ['holiday', 480, 480],
      ['vacation', 960, 1200],
      ['absence', 480, 480],
      ['bookings', -90, -90],
      ['target', -7200, -10_080],
    ])
    expect(ledger.own.month).toBe(november.balanceMinutes)
    expect(ledger.end.toDate).toBe(november.balanceToDateMinutes)
  })

  it('that is over has one balance, and that is all of it', () => {
    const over = {
      ...november,
      targetToDateMinutes: november.targetMinutes,
      balanceToDateMinutes: november.carriedMinutes + november.balanceMinutes,
    }
    expect(ledgerOf(over, '2026-12-03')).toMatchObject({
      phase: 'past',
      until: '2026-11-30',
      end: { month: over.balanceToDateMinutes, toDate: over.balanceToDateMinutes },
    })
  })

  it('to come counts nothing yet but what is carried', () => {
    const ahead = { ...november, targetToDateMinutes: 0, balanceToDateMinutes: november.carriedMinutes }
    expect(ledgerOf(ahead, '2026-10-03')).toMatchObject({
      phase: 'future',
      until: null,
      own: { month: november.balanceMinutes, toDate: 0 },
      end: { toDate: november.carriedMinutes },
    })
  })

  it('goes by the service and not by a clock that is wrong', () => {
    expect(ledgerOf(november, '2026-11-27').until).toBe('2026-11-22')
    expect(ledgerOf(november, '2026-11-27').end.toDate).toBe(november.balanceToDateMinutes)
    expect(ledgerOf(november, '2031-01-01').phase).toBe('present')
  })

  it('leaves out what there is not, but tells of a holiday on a free day', () => {
    const bare = {
      ...november,
      credits: [],
      bookings: [],
      holidays: [],
      days: november.days.map(day => ({ ...day, credits: [] })),
    }
    expect(lines(bare, '2026-11-20').map(([kind]) => kind)).toEqual(['actual', 'target'])
    const free = { ...bare, holidays: [{ date: '2026-11-01', name: 'Allerheiligen' }] }
    expect(lines(free, '2026-11-20')[1]).toEqual(['holiday', 0, 0])
  })
})

describe('what is carried into a month', () => {
  it('comes of the year before and of each month since', () => {
    const parts = carriedInto('2026-11', year)
    expect(parts[0]).toEqual({ from: 'year', of: '2025', minutes: 300 })
    expect(parts.slice(1, 4).map(({ of, minutes }) => [of, minutes])).toEqual([
      ['2026-01', 190],
      ['2026-02', -65],
      ['2026-03', 340],
    ])
    expect(parts.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(november.carriedMinutes)
  })

  it('begins with the opening balance, whatever lay before', () => {
    const months = year.months.map((month, index) => ({
      ...month,
      carriedMinutes: index < 3 ? 0 : 600,
      balanceMinutes: index < 3 ? -9_000 : 0,
    }))
    expect(carriedInto('2026-05', { ...year, carriedMinutes: 0, months })).toEqual([
      { from: 'opening', of: '2026-04', minutes: 600 },
    ])
  })

  it('is nothing in a year that is not known', () => {
    expect(carriedInto('2025-11', { ...year, carriedMinutes: 0 })).toEqual([])
  })
})

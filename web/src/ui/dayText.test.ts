import { describe, expect, it } from 'vitest'
import { dayFrom, numericDay } from './dayText'

const TODAY = '2026-11-20'

describe('a typed day', () => {
  it.each([
    ['20.11.2026', '2026-11-20'],
    ['20.11.26', '2026-11-20'],
    ['20.11.', '2026-11-20'],
    ['20.11', '2026-11-20'],
    ['2011', '2026-11-20'],
    ['201126', '2026-11-20'],
    ['20112026', '2026-11-20'],
    ['2026-11-20', '2026-11-20'],
    ['1.2.2027', '2027-02-01'],
    ['1.2.', '2026-02-01'],
    ['01.2.99', '2099-02-01'],
    ['20. 11. 2026', '2026-11-20'],
    ['  20.11.2026 ', '2026-11-20'],
  ])('%j is %s', (text, day) => expect(dayFrom(text, TODAY)).toBe(day))

  it('without a year is of this one, also where that day is past', () => {
    expect(dayFrom('31.12.', '2027-01-01')).toBe('2027-12-31')
    expect(dayFrom('0101', '2026-12-31')).toBe('2026-01-01')
  })

  it('may be a 29 February, but only of a leap year', () => {
    expect(dayFrom('29.02.2028', TODAY)).toBe('2028-02-29')
    expect(dayFrom('29.02.2100', TODAY)).toBeNull()
    expect(dayFrom('29.02.', TODAY)).toBeNull()
    expect(dayFrom('2902', '2028-06-01')).toBe('2028-02-29')
  })

  it.each([
    '',
    '   ',
    '20',
    '201',
    '20112',
    '2011202',
    '20.11.2',
    '20.11.202',
    '20.11.20267',
    '31.02.2026',
    '31.04.',
    '32.01.2026',
    '00.01.2026',
    '01.00.2026',
    '01.13.2026',
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
    '20/11/2026',
    '20 11 2026',
    '20.11.2026 morgen',
    'heute',
  ])('%j is none', text => expect(dayFrom(text, TODAY)).toBeNull())
})

it('stands in a table with all of its figures', () => expect(numericDay('2026-09-06')).toBe('06.09.2026'))

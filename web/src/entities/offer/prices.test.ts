import { expect, test } from 'vitest'
import { euros, offerTotal, PRICES } from './prices'

test('the prices are those of the documents', () => {
  expect(PRICES).toEqual({
    wand: 799,
    quickfix: 839,
    branding: 49,
    premium: 149,
    basis: 0,
    local: 0,
    cloudMonthly: 15,
  })
})

test.each([
  [{ anzahl: 1, version: 'wand', branding: false, support: 'basis' }, 799],
  [{ anzahl: 1, version: 'quickfix', branding: false, support: 'basis' }, 839],
  [{ anzahl: 3, version: 'wand', branding: true, support: 'premium' }, 2595],
  [{ anzahl: 1000, version: 'quickfix', branding: true, support: 'basis' }, 839049],
] as const)('a total is devices by price, and branding and support once: %o', (offer, total) => {
  expect(offerTotal(offer)).toBe(total)
})

test('euros are written in German, without decimals, and never break', () => {
  expect(euros(799)).toBe('799\u00a0€')
  expect(euros(1598)).toBe('1.598\u00a0€')
  expect(euros(0)).toBe('0\u00a0€')
})

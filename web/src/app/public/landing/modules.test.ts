import { expect, it } from 'vitest'
import { FEATURES } from '../../features'
import { missing } from '../missing'
import { PACKAGES } from '../services/packages'
import { PRODUCTS } from '../shop/products'
import { FOR_EVERYBODY, FOR_THE_OFFICE } from './modules'

const pages = FEATURES.flatMap(({ pages = [] }) => pages)

it('names no module that has no page', () => {
  for (const { key } of FOR_THE_OFFICE)
    expect(
      pages.some(({ area, module }) => area === 'company' && module === key),
      key,
    ).toBe(true)
})

it('calls the employee’s pages what their menu calls them', () => {
  for (const { key, label } of FOR_EVERYBODY) {
    const page = pages.find(page => page.area === 'employee' && page.key === key)
    expect(page?.label).toBe(label)
  }
})

it('has nothing in the list of what is missing that no page speaks of', () => {
  const spokenOf = new Set([
    ...[...FOR_EVERYBODY, ...FOR_THE_OFFICE].map(({ key }) => key),
    ...[...PRODUCTS, ...PACKAGES].flatMap(({ needs }) => needs ?? []),
  ])
  expect([...missing].filter(key => !spokenOf.has(key))).toEqual([])
})

import { expect, it } from 'vitest'
import { FEATURES } from '../../features'
import { missing } from '../missing'
import { PACKAGES } from '../services/packages'
import { PRODUCTS } from '../shop/products'
import { FOR_EVERYBODY, FOR_THE_OFFICE } from './modules'

const pages = FEATURES.flatMap(({ pages = [] }) => pages)

it('says of a module that it is missing exactly when it has no page', () => {
  for (const { key } of FOR_THE_OFFICE) {
    const there = pages.some(({ area, module }) => area === 'company' && module === key)
    expect([key, missing.has(key)]).toEqual([key, !there])
  }
})

it('calls the employee’s pages what their menu calls them, and none is missing', () => {
  for (const { key, label } of FOR_EVERYBODY) {
    const page = pages.find(each => each.area === 'employee' && each.key === key)
    expect([label, missing.has(key)]).toEqual([page?.label, page === undefined])
  }
})

it('has nothing in the list of what is missing that no page speaks of', () => {
  const spokenOf = new Set([
    ...[...FOR_EVERYBODY, ...FOR_THE_OFFICE].map(({ key }) => key),
    ...[...PRODUCTS, ...PACKAGES].flatMap(({ needs }) => needs ?? []),
  ])
  expect([...missing].filter(key => !spokenOf.has(key))).toEqual([])
})

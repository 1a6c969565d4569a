import { expect, it } from 'vitest'
import { FEATURES } from '../../features'
import { FOR_EVERYBODY, FOR_THE_OFFICE } from './modules'

const pages = FEATURES.flatMap(({ pages = [] }) => pages)

it('says of a module that it is there exactly when it has a page', () => {
  for (const { key, ready } of FOR_THE_OFFICE) {
    const there = pages.some(({ area, module }) => area === 'company' && module === key)
    expect([key, ready]).toEqual([key, there])
  }
})

it('calls the employee’s pages what their menu calls them', () => {
  for (const { key, label, ready } of FOR_EVERYBODY) {
    const page = pages.find(each => each.area === 'employee' && each.key === key)
    expect([label, ready]).toEqual([page?.label, page !== undefined])
  }
})

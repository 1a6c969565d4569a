import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { euros } from '../../../entities/offer/prices'
import { missing } from '../missing'
import { PRODUCTS, TABS } from './products'

it('asks for each product what the documents ask', () => {
  expect(PRODUCTS.map(({ title, priceEUR }) => [title, priceEUR ?? null]).sort()).toEqual([
    ['Beacon', 249],
    ['Core', 799],
    ['Dock', 79],
    ['Go', 1299],
    ['Hub', null],
    ['Mini', 399],
    ['PowerDock', 149],
    ['Tagger', null],
    ['TempWizard', 199],
  ])
  expect(euros(1299)).toBe('1.299\u00a0€')
})

it('has each product in one of the three tabs, and none empty', () => {
  expect(TABS.map(({ key, label }) => [key, label])).toEqual([
    ['main', 'Main Line'],
    ['tools', 'Helpers'],
    ['addons', 'Add-ons'],
  ])
  for (const { key } of TABS) expect(PRODUCTS.some(({ tab }) => tab === key)).toBe(true)
  expect(new Set(PRODUCTS.map(({ id }) => id)).size).toBe(9)
})

it('says that it is in the making of each product that nobody can build yet, because it has no folder, and of no other', () => {
  const folders = readdirSync('../hardware', { withFileTypes: true }).filter(at => at.isDirectory())
  const ready = PRODUCTS.filter(({ needs = [] }) => !needs.some(key => missing.has(key)))
  expect(ready.map(({ id }) => id).sort()).toEqual(folders.map(({ name }) => name).sort())
})

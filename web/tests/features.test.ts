/** What features declare fits together, and nothing that a feature declares is forgotten. */
import { describe, expect, it } from 'vitest'
import { OF_EMPLOYEES } from '../src/app/employee/features'
import { auditWords, FEATURES } from '../src/app/features'
import type { Feature, Sample } from '../src/features/feature'

type Files<Content> = Record<string, Content>

const declared = Object.values(
  import.meta.glob('../src/features/*/feature.{ts,tsx}', { eager: true }) as Files<object>,
)
const samples = Object.values(
  import.meta.glob('../src/features/*/samples.ts', { eager: true }) as Files<{ samples: readonly Sample[] }>,
).flatMap(file => file.samples)
const worded = Object.keys(import.meta.glob('../src/features/*/auditTexts.ts'))

const pages = FEATURES.flatMap(({ pages = [] }) => pages)
const names = (some: readonly Pick<Sample['page'], 'area' | 'key' | 'module'>[]) =>
  some.map(({ area, key, module = 'always' }) => `${area} ${key} ${module}`).sort()
const keys = (part: 'groups' | 'actions' | 'members') =>
  auditWords().then(all => all.flatMap(words => Object.keys(words[part] ?? {})))

describe('features', () => {
  it('are all in the app’s list', () => {
    expect(declared.length).toBeGreaterThan(5)
    expect(FEATURES.length).toBe(declared.length)
    for (const feature of declared.flatMap(file => Object.values(file)) as (Feature | object)[])
      if (typeof feature !== 'function') expect(FEATURES).toContain(feature)
  })

  it('of employees are those with a page of theirs, in the menu’s order', () => {
    const theirs = FEATURES.filter(({ pages: all = [] }) => all.some(({ area }) => area === 'employee'))
    expect(OF_EMPLOYEES).toEqual(theirs)
  })

  it('have a sample for each of their pages, and none for a page that there is not', () => {
    expect([...new Set(names(samples.map(({ page }) => page)))]).toEqual(names(pages))
  })

  it('give no two pages of an area the same name in the address', () => {
    const places = pages.map(({ area, key }) => `${area} ${key}`)
    expect(new Set(places).size).toBe(places.length)
  })

  it('have every page’s code', async () => {
    for (const page of pages) expect(await page.load()).toBeTypeOf('function')
  })

  it('hand over all their words for the log, and none says the same as another', async () => {
    expect((await auditWords()).length).toBe(worded.length)
    for (const part of ['groups', 'actions', 'members'] as const) {
      const found = await keys(part)
      expect(new Set(found).size, part).toBe(found.length)
    }
  })
})

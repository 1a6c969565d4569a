import { describe, expect, it } from 'vitest'
import { accountOf, areaOf, askedFor, destination } from './areas'
import { FEATURES } from './features'

const session = (role: string) => ({ token: 't', role, username: 'n', companyId: 'c', userId: 'u' })

describe('each role has its area', () => {
  it.each([
    ['admin', '/admin'],
    ['companyAdmin', '/company-dashboard'],
    ['user', '/dashboard'],
    ['something new', '/dashboard'],
  ])('%s: %s', (role, area) => expect(areaOf(role)).toBe(area))
})

describe('the own account', () => {
  it.each([
    ['admin', 'admin', '/admin'],
    ['companyAdmin', 'company', '/company-dashboard'],
    ['user', 'employee', '/dashboard'],
  ])('is a page that there is, for %s', (role, area, path) => {
    const pages = FEATURES.flatMap(({ pages = [] }) => pages).filter(page => page.area === area)
    expect(pages.map(({ key }) => `${path}?tab=${key}`)).toContain(accountOf(role))
  })
})

describe('a login leads', () => {
  it('to the page that was asked for, with its query', () => {
    const state = { from: { pathname: '/dashboard', search: '?tab=my_times&monat=2026-10', hash: '' } }
    expect(destination(session('user'), state)).toBe('/dashboard?tab=my_times&monat=2026-10')
  })

  it('to the role’s area when the page asked for belongs to another role', () => {
    const state = { from: { pathname: '/admin', search: '', hash: '' } }
    expect(destination(session('companyAdmin'), state)).toBe('/company-dashboard')
  })

  it.each([null, undefined, 'text', {}, { from: 7 }, { from: {} }])(
    'to the role’s area without one: %j',
    state => {
      expect(askedFor(state)).toBeNull()
      expect(destination(session('admin'), state)).toBe('/admin')
    },
  )
})

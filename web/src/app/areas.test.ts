import { describe, expect, it } from 'vitest'
import { areaOf, askedFor, destination } from './areas'

const session = (role: string) => ({ token: 't', role, username: 'n', companyId: 'c', userId: 'u' })

describe('each role has its area', () => {
  it.each([
    ['admin', '/admin'],
    ['companyAdmin', '/company-dashboard'],
    ['user', '/dashboard'],
    ['something new', '/dashboard'],
  ])('%s: %s', (role, area) => expect(areaOf(role)).toBe(area))
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

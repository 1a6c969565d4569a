import { describe, expect, it } from 'vitest'
import { groupsOf, isFounder, matches, protection, tidyTag, type User } from './people'

const user = (id: string, more: Partial<User> = {}): User => ({ id, username: id, role: 'user', ...more })

describe('protection', () => {
  it.each([
    ['FOUNDER', 'FOUNDER'],
    ['founder', 'FOUNDER'],
    ['IT', 'IT'],
    ['04A1B2C3', null],
    ['ITALY', null],
    [null, null],
  ])('is a word in place of the tag: %s', (tagId, word) => {
    expect(protection(user('a', { tagId }))).toBe(word)
  })

  it('makes nobody a founder but the person themselves', () => {
    const users = [user('ada', { tagId: 'FOUNDER' }), user('bela', { tagId: 'IT' })]
    expect(isFounder(users, 'ada')).toBe(true)
    expect(isFounder(users, 'bela')).toBe(false)
    expect(isFounder(users, 'nobody')).toBe(false)
  })
})

describe('the lists', () => {
  it('put nobody into two, and nobody into none', () => {
    const users = [
      user('a', { role: 'admin' }),
      user('b', { role: 'companyAdmin' }),
      user('c'),
      user('d', { role: null }),
    ]
    const { admins, companyAdmins, employees } = groupsOf(users)
    expect([admins, companyAdmins, employees].map(group => group.map(({ id }) => id))).toEqual([
      ['a'],
      ['b'],
      ['c', 'd'],
    ])
  })

  it('are searched by name and by tag, in any spelling of it', () => {
    const users = [user('Öznur Çelik', { tagId: '04A1B2C3D4E5F6' }), user('Mia', { tagId: null })]
    const names = (words: string) => users.filter(user => matches(user, words)).map(({ id }) => id)
    expect(names('öznur')).toEqual(['Öznur Çelik'])
    expect(names('04:a1 b2')).toEqual(['Öznur Çelik'])
    expect(names('zz')).toEqual([])
    expect(names('-')).toEqual([])
  })
})

describe('a tag', () => {
  it.each([
    [' 04 a1 b2 c3 d4 e5 f6 ', '04A1B2C3D4E5F6'],
    ['04:a1:b2:c3', '04A1B2C3'],
    ['werk stück', 'WERKSTÜCK'],
    ['12345e03', '12345E03'],
    ['0x04a1b2c3', '0X04A1B2C3'],
    ['1,2345e+07', '1,2345E+07'],
    ['14112233445566700000', '14112233445566700000'],
    ['14:11:22:33:44:55:66:70:00:00', '14:11:22:33:44:55:66:70:00:00'],
    ['', ''],
  ])('is tidied: %s', (typed, tidy) => expect(tidyTag(typed)).toBe(tidy))
})

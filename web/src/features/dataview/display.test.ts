import { describe, expect, it } from 'vitest'
import { displayValue, orderOf } from './display'

const names = new Map<unknown, string>([['u-1', 'Mia Sommer']])
const displayed = (member: string, value: unknown) => displayValue(member, value, names, 'Europe/Berlin')

describe('a stored value', () => {
  it.each([
    ['date', '2026-11-18', '18.11.2026'],
    ['created_at', '2026-03-29T00:59:59.999Z', '29.03.2026, 01:59:59'],
    ['created_at', '2026-03-29T01:00:00Z', '29.03.2026, 03:00:00'],
    ['start_minute', 425, '07:05'],
    ['end_minute', 1530, '01:30'],
    ['break_minutes', 45, '45'],
    ['user_id', 'u-1', 'Mia Sommer'],
    ['kind', 'sick', 'krank'],
    ['credited', true, 'ja'],
    ['user_message', '2026-11-18 ging nicht', '2026-11-18 ging nicht'],
    ['value', { a: 1 }, '{"a":1}'],
  ])('of %s reads %j as %s', (member, value, words) => expect(displayed(member, value)).toBe(words))

  it('is put in order by itself where its words are in another', () => {
    const days = ['2026-02-01', '2025-03-01', '2026-01-31']
    expect(
      days.toSorted((a, b) => (orderOf(a, displayed('date', a)) < orderOf(b, displayed('date', b)) ? -1 : 1)),
    ).toEqual(days.toSorted())
  })
})

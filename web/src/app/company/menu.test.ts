import { describe, expect, it } from 'vitest'
import { arranged } from './menu'

const modules = (...keys: string[]) => keys.map(key => ({ key }))
const all = modules(
  'login',
  'messages',
  'audit',
  'costs',
  'absences',
  'schedule',
  'review',
  'present',
  'today',
  'devices',
  'monthly_mail',
  'manage_employees',
  'something_new',
)

describe('the company’s menu', () => {
  it('has what belongs to the day, to the plan and to the month in groups, and all else smaller below', () => {
    const lines = arranged(all).map(one => `${'group' in one ? one.group : '-'} ${one.key}`)
    expect(lines).toEqual([
      'Tag today',
      'Tag present',
      'Tag review',
      'Plan und Abwesenheit schedule',
      'Plan und Abwesenheit absences',
      'Plan und Abwesenheit manage_employees',
      'Monat monthly_mail',
      'Monat costs',
      '- devices',
      '- audit',
      '- messages',
      '- login',
      '- something_new',
    ])
  })

  const onTheBar = (some: readonly { key: string; aside?: boolean }[]) =>
    arranged(some)
      .filter(one => !one.aside)
      .map(({ key }) => key)

  it('has four places on a phone, for what an administrator does every day', () => {
    expect(onTheBar(all)).toEqual(['today', 'present', 'schedule', 'absences'])
  })

  it('fills them with what the company has, but not with what stands aside', () => {
    const some = [{ key: 'my_times', aside: true }, ...modules('today', 'login', 'devices', 'review')]
    expect(onTheBar(some)).toEqual(['today', 'review', 'devices', 'login'])
  })
})

import { describe, expect, it } from 'vitest'
import { shownFlag } from './flags'

const ALL = [
  'missing_in',
  'missing_out',
  'long_entry',
  'uncertain_time',
  'over_10_h',
  'short_rest',
  'missing_break',
  'overlap',
  'shown_differs',
  'worked_on_leave',
  'late',
]

describe('flags', () => {
  it('each have a name of their own, an explanation and an icon', () => {
    const flags = ALL.map(shownFlag)
    expect(new Set(flags.map(flag => flag.label)).size).toBe(ALL.length)
    for (const flag of flags) {
      expect(flag.explanation.length).toBeGreaterThan(30)
      expect(flag.icon).toBeTypeOf('function')
    }
  })

  it('that a newer service has invented are shown as a hint', () => {
    expect(shownFlag('night_shift')).toMatchObject({ flag: 'night_shift', label: 'Hinweis', tone: 'note' })
    expect(shownFlag('constructor').label).toBe('Hinweis')
  })
})

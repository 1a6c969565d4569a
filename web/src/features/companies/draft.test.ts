import { describe, expect, it } from 'vitest'
import { allTo, isOn, NOTHING, outcome, toggled } from './draft'

const ALL = ['a', 'b', 'c']
const OWN = new Set(['a', 'b'])

describe('what is ticked and not saved', () => {
  it('is nothing again once it is ticked back', () => {
    expect(toggled(toggled(NOTHING, 'a'), 'a')).toEqual(NOTHING)
  })

  it('is only the difference, so that a newer answer of the service shows through', () => {
    const draft = toggled(NOTHING, 'a')
    expect(outcome(ALL, OWN, draft)).toEqual(['b'])
    expect(outcome(ALL, new Set(['a', 'c']), draft)).toEqual(['c'])
    expect(isOn(OWN, draft, 'a')).toBe(false)
  })

  it.each([true, false])('can be all or none: %s', on => {
    expect(outcome(ALL, OWN, allTo(on, ALL, OWN))).toEqual(on ? ALL : [])
  })
})

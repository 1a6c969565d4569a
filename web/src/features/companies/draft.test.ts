import { describe, expect, it } from 'vitest'
import { allTo, type Draft, isOn, NO_CHANGES, outcome, ticked, unsaved, without } from './draft'

const ALL = ['a', 'b', 'c']
const OWN_MODULES = new Set(['a', 'b'])

describe('what is ticked and not saved', () => {
  it('is nothing again once it is ticked back', () => {
    const off = ticked(NO_CHANGES, 'a', false)
    expect(unsaved(off, OWN_MODULES)).toEqual(off)
    expect(unsaved(ticked(off, 'a', true), OWN_MODULES)).toEqual(NO_CHANGES)
  })

  it('is only the difference, so that a newer answer of the service shows through', () => {
    const draft = ticked(NO_CHANGES, 'a', false)
    expect(outcome(ALL, OWN_MODULES, draft)).toEqual(['b'])
    expect(outcome(ALL, new Set(['a', 'c']), draft)).toEqual(['c'])
    expect(isOn(OWN_MODULES, draft, 'a')).toBe(false)
  })

  it('says what is meant, not that something changes: what is as meant already stays so', () => {
    const draft = ticked(ticked(NO_CHANGES, 'a', false), 'c', true)
    const newer = new Set(['b', 'c'])
    expect(outcome(ALL, newer, draft)).toEqual(['b', 'c'])
    expect(unsaved(draft, newer)).toEqual(NO_CHANGES)
  })

  it.each([true, false])('can be all or none: %s', on => {
    const draft = allTo(on, ALL)
    expect(outcome(ALL, OWN_MODULES, draft)).toEqual(on ? ALL : [])
    expect([...unsaved(draft, OWN_MODULES).keys()]).toEqual(on ? ['c'] : ['a', 'b'])
  })

  it('is what was ticked since, once something was saved', () => {
    const sent: Draft = new Map([
      ['a', false],
      ['c', true],
    ])
    const now = ticked(ticked(sent, 'c', false), 'b', false)
    expect(without(now, sent)).toEqual(
      new Map([
        ['c', false],
        ['b', false],
      ]),
    )
  })
})

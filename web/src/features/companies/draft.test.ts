import { describe, expect, it } from 'vitest'
import { allTo, type Draft, isOn, NOTHING, outcome, ticked, unsaved, without } from './draft'

const ALL = ['a', 'b', 'c']
const OWN = new Set(['a', 'b'])

describe('what is ticked and not saved', () => {
  it('is nothing again once it is ticked back', () => {
    const off = ticked(NOTHING, 'a', false)
    expect(unsaved(off, OWN)).toEqual(off)
    expect(unsaved(ticked(off, 'a', true), OWN)).toEqual(NOTHING)
  })

  it('is only the difference, so that a newer answer of the service shows through', () => {
    const draft = ticked(NOTHING, 'a', false)
    expect(outcome(ALL, OWN, draft)).toEqual(['b'])
    expect(outcome(ALL, new Set(['a', 'c']), draft)).toEqual(['c'])
    expect(isOn(OWN, draft, 'a')).toBe(false)
  })

  it('says what is meant, not that something changes: what is as meant already stays so', () => {
    const draft = ticked(ticked(NOTHING, 'a', false), 'c', true)
    const newer = new Set(['b', 'c'])
    expect(outcome(ALL, newer, draft)).toEqual(['b', 'c'])
    expect(unsaved(draft, newer)).toEqual(NOTHING)
  })

  it.each([true, false])('can be all or none: %s', on => {
    const draft = allTo(on, ALL)
    expect(outcome(ALL, OWN, draft)).toEqual(on ? ALL : [])
    expect([...unsaved(draft, OWN).keys()]).toEqual(on ? ['c'] : ['a', 'b'])
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

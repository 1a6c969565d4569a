import { describe, expect, it } from 'vitest'
import { next, standing, staysMs, type Typing } from './typing'

const PHRASES = ['ab', 'c']
const textOf = ({ phrase, shown }: Typing) => (PHRASES[phrase] ?? '').slice(0, shown)

describe('the headline', () => {
  it('stands there at first, goes backward, and types the next phrase, for ever', () => {
    const texts: string[] = []
    let now = standing(PHRASES)
    for (let turn = 0; turn < 8; turn += 1) {
      texts.push(textOf(now))
      now = next(PHRASES, now)
    }
    expect(texts).toEqual(['ab', 'a', '', 'c', '', 'a', 'ab', 'a'])
  })

  it('waits three seconds at the end of a phrase, on its way forward alone', () => {
    expect(staysMs(PHRASES, { phrase: 0, shown: 2, backward: false }, 0.5)).toBe(3_000)
    expect(staysMs(PHRASES, { phrase: 0, shown: 1, backward: false }, 0.5)).toBe(50)
    expect(staysMs(PHRASES, { phrase: 0, shown: 0, backward: true }, 0.5)).toBe(50)
  })

  it('takes 50 ms for a character, more or less by up to 50, and never less than 10', () => {
    const typing = { phrase: 0, shown: 1, backward: false }
    expect(staysMs(PHRASES, typing, 0)).toBe(10)
    expect(staysMs(PHRASES, typing, 0.05)).toBe(10)
    expect(staysMs(PHRASES, typing, 0.25)).toBe(25)
    expect(staysMs(PHRASES, typing, 0.999)).toBeCloseTo(99.9)
  })
})
